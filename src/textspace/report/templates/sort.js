// Headings of a table sort it.
for (const button of document.querySelectorAll(".by-class thead button")) {
  button.addEventListener("click", () => {
    const head = button.parentElement;
    const up = head.getAttribute("aria-sort") !== "ascending";
    for (const other of head.parentElement.children) other.removeAttribute("aria-sort");
    head.setAttribute("aria-sort", up ? "ascending" : "descending");
    const key = (row) => row.cells[head.cellIndex].dataset.value;
    const numbers = head.cellIndex > 0;
    const body = head.closest("table").tBodies[0];
    const rows = [...body.rows].sort((a, b) =>
      numbers ? Number(key(a)) - Number(key(b)) : key(a).localeCompare(key(b)),
    );
    body.append(...(up ? rows : rows.reverse()));
  });
}
