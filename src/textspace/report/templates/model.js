(() => {
  "use strict";
  const data = JSON.parse(document.getElementById("model-data").textContent);
  const PAGE = 10;

  function make(tag, style, ...content) {
    const element = document.createElement(tag);
    if (style) element.className = style;
    element.append(...content);
    return element;
  }

  const name = (c) => (c < 0 ? "a label that the model does not know" : data.classes[c]);
  const percent = (share) => (100 * share).toFixed(share >= 0.9995 || share < 0.0005 ? 0 : 1) + " %";
  const signed = (part) => (part < 0 ? "−" : "+") + Math.abs(part).toFixed(2);

  function heading(doc) {
    const title = make("h4");
    if (doc.truth === doc.predicted) title.append(make("span", "is", name(doc.truth)), ", rightly");
    else title.append(make("span", "is", name(doc.truth)), " was called ", make("span", "was", name(doc.predicted)));
    title.append(make("span", "muted", ` · ${percent(doc.confidence)} sure · ${doc.id ? doc.id + ", " : ""}${doc.where}`));
    if (doc.suspect) title.append(" ", make("small", "tag warn", "check the label"));
    return title;
  }

  function shares(doc) {
    const list = make("ul", "shares");
    for (const [c, share] of doc.top) {
      const bar = make("i", c === doc.truth ? "rightly" : c === doc.predicted ? "wrongly" : "");
      bar.style.setProperty("--share", 100 * share + "%");
      list.append(make("li", "", make("span", "", name(c)), bar, percent(share)));
    }
    return list;
  }

  function passage(doc) {
    const box = make("p", "passage");
    const most = Math.max(...doc.pieces.map((piece) => (typeof piece === "string" ? 0 : Math.abs(piece[1]))));
    for (const piece of doc.pieces) {
      if (typeof piece === "string") {
        box.append(piece.replace(/\n\s*\n\s+/g, "\n\n"));
        continue;
      }
      const mark = make("mark", piece[1] > 0 ? "wrongly" : "rightly", piece[0]);
      mark.style.setProperty("--share", 8 + (52 * Math.abs(piece[1])) / most + "%");
      mark.title = signed(piece[1]);
      box.append(mark);
    }
    if (doc.cut) box.append(" …");
    return box;
  }

  function terms(title, style, list, most) {
    const box = make("div", style, make("h5", "", title));
    const rows = make("ul");
    for (const [term, part] of list) {
      const bar = make("i");
      bar.style.setProperty("--share", (100 * Math.abs(part)) / most + "%");
      rows.append(make("li", "", make("span", "", term), bar, make("span", "number", signed(part))));
    }
    if (!list.length) rows.append(make("li", "muted", "none"));
    box.append(rows);
    return box;
  }

  function reasons(doc) {
    const why = doc.why;
    const box = make("details", "", make("summary", "", "Why, and what it is near to"));
    if (why.note) box.append(make("p", "muted", "No terms: " + why.note));
    else {
      const most = Math.max(...why.terms.map((term) => Math.abs(term[1])), 1e-9);
      const other = doc.truth < 0 ? "against it" : "for " + name(doc.truth);
      const pro = why.terms.filter((term) => term[1] > 0).slice(0, 8);
      const contra = why.terms.filter((term) => term[1] < 0).slice(0, 8);
      const left = why.score - why.constant - [...pro, ...contra].reduce((sum, term) => sum + term[1], 0);
      box.append(
        make(
          "div",
          "reasons",
          terms("for " + name(doc.predicted), "wrongly", pro, most),
          terms(other, "rightly", contra, most),
        ),
        make(
          "p",
          "muted note",
          `These, ${signed(left)} of all other terms and a constant of ${signed(why.constant)} add up to ` +
            `${signed(why.score)}` +
            (doc.truth < 0 ? "." : `: ${name(why.score > 0 ? doc.predicted : doc.truth)} is the likelier of the two.`),
        ),
      );
    }
    if (data.seen) {
      box.append(
        make("p", "muted note", "When this document was judged, the model had not seen it. What stands here is of the finished model, which has learned from it too."),
      );
    }
    const near = make("div", "near", make("h5", "", "Nearest training documents"));
    const list = make("ul");
    for (const [similarity, label, excerpt] of why.near) {
      list.append(make("li", "", make("b", "", label), make("span", "muted", similarity.toFixed(2) + " · "), excerpt));
    }
    if (!why.near.length) list.append(make("li", "muted", "none: the document has no word that the model knows"));
    near.append(list);
    box.append(near);
    return box;
  }

  function card(doc) {
    const text = passage(doc);
    const box = make("article", "document", heading(doc), shares(doc), text);
    box.dataset.row = doc.row;
    const more = make("button", "link", "Show all of the text");
    more.type = "button";
    more.hidden = true;
    more.addEventListener("click", () => {
      more.textContent = text.classList.toggle("open") ? "Show less" : "Show all of the text";
    });
    box.append(more);
    if (doc.why) box.append(reasons(doc));
    return box;
  }

  // Shows documents in a box, ten at a time.
  function browse(box, docs) {
    let start = 0;
    function turn(step) {
      start += step;
      box.replaceChildren(...docs.slice(start, start + PAGE).map(card));
      for (const text of box.querySelectorAll(".passage")) {
        const clipped = text.scrollHeight > text.clientHeight + 4;
        text.classList.toggle("clipped", clipped);
        text.nextElementSibling.hidden = !clipped;
      }
      if (docs.length > PAGE) box.append(pager());
    }
    function pager() {
      const end = Math.min(start + PAGE, docs.length);
      const bar = make("div", "pager");
      for (const [text, step, off] of [["Previous", -PAGE, start === 0], ["Next", PAGE, end === docs.length]]) {
        const button = make("button", "", text);
        button.type = "button";
        button.disabled = off;
        button.addEventListener("click", () => {
          turn(step);
          box.parentElement.scrollIntoView({ block: "start" });
        });
        bar.append(button);
      }
      bar.append(`${start + 1} to ${end} of ${docs.length}`);
      return bar;
    }
    turn(0);
  }

  // Cells of the matrix and pairs of the list open their documents below.
  const panel = document.getElementById("cell-documents");
  const openers = [...document.querySelectorAll("[data-truth]")];
  function open(button) {
    const truth = Number(button.dataset.truth);
    const predicted = Number(button.dataset.predicted);
    const count = Number(button.dataset.count);
    for (const other of openers) {
      const same = other.dataset.truth === button.dataset.truth && other.dataset.predicted === button.dataset.predicted;
      other.setAttribute("aria-pressed", same);
    }
    const docs = data.documents.filter((doc) => doc.truth === truth && doc.predicted === predicted);
    const title = panel.querySelector("h3");
    title.replaceChildren(
      `${count} ${count === 1 ? "document" : "documents"} of ${name(truth)} ` +
        (truth === predicted ? "that got this label" : `called ${name(predicted)}`) +
        (docs.length < count ? ` (${docs.length || "none"} of them kept here)` : ""),
    );
    panel.hidden = false;
    browse(panel.querySelector("div"), docs);
    title.focus({ preventScroll: true });
    panel.scrollIntoView({ block: "start" });
  }
  for (const button of openers) button.addEventListener("click", () => open(button));
  const back = document.getElementById("to-matrix");
  back.addEventListener("click", () => {
    const pressed = openers.find((button) => button.getAttribute("aria-pressed") === "true");
    pressed.focus({ preventScroll: true });
    pressed.scrollIntoView({ block: "center" });
  });

  // The arrow keys move between the cells; only one of them is a stop of the tabulator key.
  const grid = document.getElementById("cells");
  if (grid) {
    const cells = [...grid.querySelectorAll("button")];
    const place = (button) => [button.parentElement.parentElement.rowIndex, button.parentElement.cellIndex];
    cells.forEach((button, i) => (button.tabIndex = i ? -1 : 0));
    grid.addEventListener("keydown", (event) => {
      const move = { ArrowUp: [-1, 0], ArrowDown: [1, 0], ArrowLeft: [0, -1], ArrowRight: [0, 1] }[event.key];
      if (!move || event.target.tagName !== "BUTTON") return;
      event.preventDefault();
      const [row, column] = place(event.target);
      const axis = move[0] ? 0 : 1;
      const along = cells
        .map((button) => [button, place(button)])
        .filter(([, at]) => (axis ? at[0] === row : at[1] === column))
        .filter(([, at]) => (at[axis] - (axis ? column : row)) * move[axis] > 0);
      if (!along.length) return;
      const next = along.at(move[axis] > 0 ? 0 : -1)[0];
      event.target.tabIndex = -1;
      next.tabIndex = 0;
      next.focus();
    });
    grid.addEventListener("focusin", (event) => {
      if (event.target.tagName !== "BUTTON") return;
      for (const button of cells) button.tabIndex = button === event.target ? 0 : -1;
    });
  }

  const search = document.getElementById("pair-search");
  if (search) {
    search.addEventListener("input", () => {
      const wanted = search.value.toLowerCase();
      for (const item of document.querySelectorAll(".pair-list li")) {
        item.hidden = !item.textContent.toLowerCase().includes(wanted);
      }
    });
  }

  const plain = (doc) => doc.pieces.map((piece) => (typeof piece === "string" ? piece : piece[0])).join("");

  // The browser of errors.
  const errors = data.documents.filter((doc) => doc.truth !== doc.predicted);
  const box = document.getElementById("error-documents");
  if (box) {
    const truth = document.getElementById("error-truth");
    const predicted = document.getElementById("error-predicted");
    const suspect = document.getElementById("error-suspect");
    const words = document.getElementById("error-words");
    const count = document.getElementById("error-count");
    for (const doc of errors) {
      doc.words = plain(doc).toLowerCase();
    }
    let found = errors;
    const filter = () => {
      const wanted = words.value.trim().toLowerCase();
      found = errors.filter(
        (doc) =>
          (truth.value === "" || doc.truth === Number(truth.value)) &&
          (predicted.value === "" || doc.predicted === Number(predicted.value)) &&
          (!suspect.checked || doc.suspect) &&
          doc.words.includes(wanted),
      );
      count.textContent = found.length === 1 ? "1 error" : `${found.length} errors`;
      browse(box, found);
    };
    document.getElementById("error-export").addEventListener("click", () => {
      const cell = (value) => `"${String(value).replace(/"/g, '""').replace(/^[=+\-@\t\r]/, "'$&")}"`;
      const rows = found.map((doc) => [doc.where, doc.id, name(doc.truth), name(doc.predicted), doc.confidence, plain(doc)]);
      const lines = [["where", "id", "label", "predicted", "confidence", "text"], ...rows].map((row) => row.map(cell).join(","));
      const link = make("a");
      link.href = URL.createObjectURL(new Blob(["\ufeff" + lines.join("\r\n") + "\r\n"], { type: "text/csv" }));
      link.download = "errors.csv";
      link.click();
      URL.revokeObjectURL(link.href);
    });
    for (const control of [truth, predicted, suspect]) control.addEventListener("change", filter);
    words.addEventListener("input", filter);
    filter(); // a browser that comes back to the page keeps the values of the controls
  }
})();
