// The search shows the documents that hold its words, or that have such labels.
const search = document.getElementById("error-words");
if (search) {
  const documents = [...document.querySelectorAll("#errors .document")];
  const filter = () => {
    const wanted = search.value.trim().toLowerCase();
    for (const one of documents) one.hidden = !one.textContent.toLowerCase().includes(wanted);
    const shown = documents.filter((one) => !one.hidden).length;
    document.getElementById("error-count").textContent = shown === 1 ? "1 document" : `${shown} documents`;
  };
  search.addEventListener("input", filter);
  filter(); // a browser that comes back to the page keeps the words
}
