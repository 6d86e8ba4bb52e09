"use strict";
// The rows of a file: classified, counted, sorted, filtered, written to a file.

const BATCH = 100; // texts in one call
const MOST_ROWS = 10_000;
const STEP = 100; // rows that are put on the page at a time
const EXCERPT = 200; // characters
const TEXT_COLUMNS = ["text", "body", "content", "message", "document", "review", "comment", "article", "abstract"];
const NO_LABEL = "(no label)";
const COLLATOR = new Intl.Collator("en", { numeric: true });
let table = null; // what was read, with: file, text and shown (names of columns), answers, by, down, label, n_shown

async function open(file, sheet) {
  at("many").hidden = true;
  hideResult();
  const ending = file.name.toLowerCase().split(".").pop();
  try {
    await ready;
    if (["csv", "tsv", "tab", "json", "jsonl", "ndjson", "xlsx"].includes(ending)) {
      const found = await readFile(file, sheet);
      await showTable({ ...found, file, text: textColumns(found), shown: [], by: null, down: false, label: null });
    } else if (file.size > model.limits.body_bytes) throw new Error(tooLarge(file, model.limits.body_bytes));
    else if (["xls", "ods", "docx", "pdf", "zip", "gz", "parquet"].includes(ending)) {
      throw new Error("this page cannot read it: save it as .xlsx, .csv or .txt.");
    } else {
      at("text").value = decoded(new Uint8Array(await file.arrayBuffer()), []);
      await classify(at("text").value);
    }
  } catch (error) {
    say("status", `${file.name}: ${error.message}`, "bad");
  }
}

// The columns that the model was trained on; else the one of a known name, or with the longest texts.
function textColumns({ names, rows }) {
  const trained = model.card.data?.columns?.text ?? [];
  const absent = trained.filter((name) => !names.includes(name));
  if (trained.length && !absent.length) return trained;
  if (trained.length > 1 && names.length > 1) {
    throw new Error(`there is no column "${absent[0]}", and the model was trained on ${trained.join(" and ")}.`);
  }
  const length = (place) => rows.reduce((sum, row) => sum + (typeof row[place] === "string" ? row[place].length : 0), 0);
  const lengths = names.map((_, place) => length(place));
  const known = TEXT_COLUMNS.map((each) => names.find((name) => name.toLowerCase() === each)).find((name) => name !== undefined);
  if (known === undefined && !Math.max(...lengths)) throw new Error("there is no column of texts.");
  return [known ?? names[lengths.indexOf(Math.max(...lengths))]];
}

async function showTable(found) {
  const n_all = found.rows.length;
  table = { ...found, rows: found.rows.slice(0, MOST_ROWS), n_all };
  at("many-title").textContent = table.file.name;
  at("find").value = at("sure").value = "";
  at("sheet-choice").hidden = table.sheets.length < 2;
  at("sheet").replaceChildren(...table.sheets.map((name) => element("option", { textContent: name, selected: name === table.sheet })));
  at("text-columns").replaceChildren(...choices(table.text, classifyTable));
  at("shown-columns").replaceChildren(...choices(table.shown, render));
  at("columns").hidden = table.names.length < 2;
  await classifyTable();
}

// A box for each column, which puts its name into a list or takes it out.
function choices(list, changed) {
  return table.names.map((name) => {
    const box = element("input", { type: "checkbox", checked: list.includes(name) });
    box.addEventListener("change", () => {
      list.splice(0, Infinity, ...table.names.filter((other) => other === name ? box.checked : list.includes(other)));
      changed();
    });
    return element("label", {}, box, " " + name);
  });
}

// ---- the service's answers

const texts = () => {
  const places = table.text.map((name) => table.names.indexOf(name));
  return table.rows.map((row) => places.map((place) => written(row[place])).filter(Boolean).join("\n"));
};

// Texts that the service would refuse are not sent, so that none keeps the others of its batch waiting.
function refusal(text) {
  if (!text.trim()) return "no text";
  const most = model.limits.characters; // a character has one or two places in a string
  return text.length > 2 * most || (text.length > most && Array.from(text).length > most) ? `more than ${most} characters` : "";
}

async function classifyTable() {
  const mine = ++turn;
  hideResult();
  const mineTable = table;
  table.texts = texts();
  table.answers = table.texts.map((text) => ({ error: refusal(text) || "not classified yet" }));
  const waiting = [...table.texts.keys()].filter((place) => !refusal(table.texts[place]));
  try {
    for (let done = 0; done < waiting.length;) {
      say("status", `${done} of ${waiting.length} texts …`);
      const batch = batchFrom(waiting, done);
      const top = model.several ? SHOWN_OF_SEVERAL : 1;
      const { predictions } = await call("/predict", { texts: batch.map((place) => mineTable.texts[place]), top });
      if (mine !== turn) return;
      batch.forEach((place, position) => { mineTable.answers[place] = predictions[position]; });
      done += batch.length;
    }
    say("status", waiting.length ? "" : `there is no text in ${table.text.map((name) => `"${name}"`).join(" and ") || "no column: choose one"}.`, waiting.length ? "" : "bad");
  } catch (error) {
    if (mine === turn) say("status", error.message, "bad");
  }
  if (mine === turn) render();
}

// As many rows as one call may hold.
function batchFrom(waiting, start) {
  const batch = [];
  let size = 100;
  for (const place of waiting.slice(start, start + Math.min(BATCH, model.limits.texts))) {
    size += new TextEncoder().encode(JSON.stringify(table.texts[place])).length + 1;
    if (batch.length && size > model.limits.body_bytes) break;
    batch.push(place);
  }
  return batch;
}

const labelsOf = (answer) => answer.error ? [] : answer.labels ?? (answer.label ? [answer.label] : []);
const sureness = (answer) => answer.error ? -1 : answer.probabilities[0].probability;

// ---- what is seen of it

// Numbers of the rows that pass the filters, in the order that was chosen.
function selected() {
  const words = at("find").value.toLowerCase();
  const most = at("sure").value === "" ? Infinity : Number(at("sure").value);
  const passes = (place) => {
    const answer = table.answers[place], labels = labelsOf(answer);
    if (table.label !== null && !(labels.length ? labels : [NO_LABEL]).includes(table.label)) return false;
    if (sureness(answer) >= most) return false;
    return !words || [...labels, ...table.rows[place].map(written)].some((each) => each.toLowerCase().includes(words));
  };
  const places = [...table.rows.keys()].filter(passes);
  if (table.by === null) return table.down ? places.reverse() : places;
  const key = sortKey(table.by);
  const order = (a, b) => typeof key(a) === "number" && typeof key(b) === "number" ? key(a) - key(b) : COLLATOR.compare(key(a), key(b));
  return places.sort((a, b) => (table.down ? order(b, a) : order(a, b)) || a - b);
}

function sortKey(by) {
  if (by === "text") return (place) => table.texts[place];
  if (by === "label") return (place) => labelsOf(table.answers[place]).join(", ");
  if (by === "sure") return (place) => sureness(table.answers[place]);
  const column = Number(by.slice(1));
  return (place) => typeof table.rows[place][column] === "number" ? table.rows[place][column] : written(table.rows[place][column]);
}

function render() {
  table.n_shown = STEP;
  at("many").hidden = false;
  showCounts();
  showRows();
}

function showCounts() {
  const counts = new Map();
  for (const answer of table.answers) {
    const labels = labelsOf(answer);
    for (const label of labels.length ? labels : [NO_LABEL]) counts.set(label, (counts.get(label) ?? 0) + 1);
  }
  const most = Math.max(...counts.values());
  const ranked = [...counts].sort((a, b) => b[1] - a[1] || COLLATOR.compare(a[0], b[0]));
  at("counts").replaceChildren(...ranked.map(([label, count]) => {
    const button = element("button", { type: "button", title: `Show only ${label}` }, element("span", { textContent: label }),
      track(count / most), element("span", { className: "number", textContent: count.toLocaleString("en") }));
    button.setAttribute("aria-pressed", label === table.label);
    button.addEventListener("click", () => {
      table.label = table.label === label ? null : label;
      for (const other of at("counts").querySelectorAll("button")) other.setAttribute("aria-pressed", other === button && table.label !== null);
      table.n_shown = STEP;
      showRows();
    });
    return element("li", {}, button);
  }));
  at("counts-title").textContent = `Texts of each ${kinds(1)}`;
}

function showRows() {
  const places = selected();
  const columns = table.shown.map((name) => [name, "c" + table.names.indexOf(name)]);
  const heads = [["Row", null, "number"], ...columns, ["Text", "text"], [model.several ? "Labels" : "Class", "label"], ["Sure", "sure", "number"]];
  at("rows-head").replaceChildren(...heads.map(head));
  at("rows").replaceChildren(...places.slice(0, table.n_shown).map(tableRow));
  const rest = places.length - table.n_shown;
  at("more").hidden = rest <= 0;
  at("more").textContent = `Show more (${rest.toLocaleString("en")} left)`;
  at("download").textContent = `Download ${places.length.toLocaleString("en")} ${places.length === 1 ? "row" : "rows"} (.${table.kind})`;
  at("download").disabled = !places.length;
  const cut = table.n_all > table.rows.length
    ? ` The first ${table.rows.length.toLocaleString("en")} of ${table.n_all.toLocaleString("en")} rows: use "textspace predict" for all.` : "";
  const bad = table.answers.filter((answer) => answer.error).length;
  const unread = bad ? ` ${bad} without an answer.` : "";
  at("many-note").textContent = `${places.length.toLocaleString("en")} of ${table.rows.length.toLocaleString("en")} rows, ` +
    `text of ${table.text.map((name) => `"${name}"`).join(" and ")}.${unread}${cut} ${table.notes.join(" ")} Choose a row to see why.`;
}

function head([name, by, className = ""]) {
  const isBy = table.by === by;
  const sign = isBy ? (table.down ? " ▾" : " ▴") : "";
  const button = element("button", { type: "button", textContent: name + sign });
  button.addEventListener("click", () => {
    table.down = isBy && !table.down;
    table.by = by;
    showRows();
  });
  const cell = element("th", { scope: "col", className }, button);
  if (isBy) cell.setAttribute("aria-sort", table.down ? "descending" : "ascending");
  return cell;
}

function tableRow(place) {
  const answer = table.answers[place], text = table.texts[place];
  const button = element("button", { type: "button", textContent: text.slice(0, EXCERPT) || "–", disabled: Boolean(answer.error) });
  const cell = (className, textContent) => element("td", { className, textContent });
  const row = element("tr", {}, cell("number muted", place + 1),
    ...table.shown.map((name) => cell("cell", written(table.rows[place][table.names.indexOf(name)]).slice(0, EXCERPT))),
    element("td", { className: "excerpt" }, button),
    answer.error ? cell("muted", answer.error) : cell("name", named(answer)),
    cell("number", answer.error ? "" : percent(sureness(answer))));
  button.addEventListener("click", () => {
    for (const other of at("rows").querySelectorAll("[aria-selected]")) other.removeAttribute("aria-selected");
    row.setAttribute("aria-selected", true);
    at("text").value = text;
    classify(text).then(() => at("ask").scrollIntoView({ behavior: "smooth" }));
  });
  return row;
}

// ---- the file that is written: the columns that were there, and those that "textspace predict" adds

async function download() {
  const added = [model.several ? "labels" : "label", "confidence"];
  if (!model.several && Object.values(model.paths).some((path) => path.length > 1)) added.push("path");
  const prefix = added.some((name) => table.names.includes(name)) ? "predicted_" : "";
  const rows = selected().map((place) => [...table.rows[place], ...added.map((name) => addedCell(name, table.answers[place]))]);
  const blob = await writtenFile({ ...table, names: [...table.names, ...added.map((name) => prefix + name)], rows });
  const link = element("a", { href: URL.createObjectURL(blob), download: table.file.name.replace(/\.[^.]*$/, "") + `-labelled.${table.kind}` });
  link.click();
  URL.revokeObjectURL(link.href);
}

function addedCell(name, answer) {
  if (answer.error) return name === "confidence" ? null : "";
  if (name === "path") return answer.path.join(" > ");
  const rounded = (share) => Number(share.toFixed(4));
  if (!answer.labels) return name === "label" ? answer.label : rounded(sureness(answer));
  const shares = new Map(answer.probabilities.map(({ label, probability }) => [label, rounded(probability)]));
  const isOdd = (label) => label.includes(";") || label.startsWith("[") || label !== label.trim();
  if (name === "confidence") return answer.labels.map((label) => shares.get(label) ?? "").join(";");
  return !answer.labels.length || answer.labels.some(isOdd) ? JSON.stringify(answer.labels) : answer.labels.join(";");
}

for (const [id, event] of [["find", "input"], ["sure", "change"]]) {
  at(id).addEventListener(event, () => {
    table.n_shown = STEP;
    showRows();
  });
}
at("more").addEventListener("click", () => {
  table.n_shown += STEP;
  showRows();
});
at("sheet").addEventListener("change", () => open(table.file, at("sheet").value));
at("download").addEventListener("click", download);
