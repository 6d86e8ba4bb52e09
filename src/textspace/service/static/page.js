"use strict";
// All that comes from the service or from a file is put on the page as text, never as HTML.

const SHOWN = 6; // classes with a bar
const SHOWN_OF_SEVERAL = 12;
const LONG_NAME = 22; // characters of a class, which has its bar below it
const FIRST = ["intended_use", "limits", "scores", "data", "method", "text"]; // of a model card
const at = (id) => document.getElementById(id);
let model = null;
let shown = null; // the text on which the result stands
let turn = 0; // answers to earlier questions are dropped

function element(tag, properties = {}, ...children) {
  const made = Object.assign(document.createElement(tag), properties);
  made.append(...children);
  return made;
}

function percent(share) {
  if (share > 0.9995) return ">99.9 %";
  return share < 0.0005 ? "<0.1 %" : (100 * share).toFixed(1) + " %";
}

function kinds(number) {
  if (model.several) return number === 1 ? "label" : "labels";
  return number === 1 ? "class" : "classes";
}

function signed(value) {
  return (value < 0 ? "−" : "+") + Math.abs(value).toFixed(2);
}

function track(share) {
  const bar = element("i");
  bar.style.width = 100 * share + "%";
  return element("span", { className: "track" }, bar);
}

function say(id, sentence, kind = "") {
  at(id).textContent = sentence && sentence[0].toUpperCase() + sentence.slice(1);
  at(id).className = kind;
}

// ---- the service

async function call(path, body) {
  for (;;) {
    const headers = body === undefined ? {} : { "Content-Type": "application/json" };
    const token = sessionStorage.getItem("token");
    if (token) headers.Authorization = "Bearer " + token;
    let response;
    try {
      const method = body === undefined ? "GET" : "POST";
      response = await fetch(path, { method, headers, body: body === undefined ? undefined : JSON.stringify(body) });
    } catch {
      throw new Error("the service does not answer: is it still running?");
    }
    if (response.status === 401) {
      await askToken(token !== null);
      continue;
    }
    let answer;
    try {
      answer = await response.json();
    } catch {
      throw new Error(`the service answered with status ${response.status}: try again.`);
    }
    if (!response.ok) throw new Error(answer.error || `the service answered with status ${response.status}.`);
    return answer;
  }
}

let asking = null; // one dialog, however many calls wait for it

function askToken(wrong) {
  asking ??= new Promise((resolve) => {
    at("token-note").textContent = wrong ? "That was not the token." : "Whoever started the service has it.";
    at("token").value = "";
    at("ask-token").addEventListener("close", () => {
      sessionStorage.setItem("token", at("token").value.trim());
      asking = null;
      resolve();
    }, { once: true });
    at("ask-token").showModal();
  });
  return asking;
}

// ---- one text

async function classify(text) {
  const mine = ++turn;
  if (!text.trim()) {
    hideResult();
    say("status", "paste a text first.", "bad");
    return;
  }
  say("status", "…");
  try {
    await ready;
    const { predictions: [prediction] } = await call("/predict", { text, top: model.several ? SHOWN_OF_SEVERAL : SHOWN });
    if (mine !== turn) return;
    shown = text;
    showPrediction(prediction);
    say("status", "");
    await explain(text, prediction.probabilities[0].label, mine);
  } catch (error) {
    if (mine !== turn) return;
    hideResult();
    say("status", error.message, "bad");
  }
}

function hideResult() {
  at("result").hidden = at("why").hidden = true;
}

// Of several labels each has a probability of its own, and they do not add up to one.
function named({ label, labels }) {
  return labels ? labels.join(", ") || "none of the labels" : label;
}

function showPrediction({ label, labels, path, probabilities }) {
  at("label").textContent = named({ label, labels });
  at("path").hidden = model.several || path.length < 2;
  at("path").textContent = path.join(" › ");
  at("bars").replaceChildren(...probabilities.map(bar));
  const rest = model.classes.length - probabilities.length;
  at("others").hidden = rest <= 0;
  const left = Math.max(0, 1 - probabilities.reduce((sum, share) => sum + share.probability, 0));
  const sum = model.several ? "less probable each" : `together: ${percent(left)}`;
  at("others").textContent = `${rest} other ${kinds(rest)} ${sum}`;
  if (model.several) for (const option of at("right-labels").options) option.selected = labels.includes(option.value);
  else at("right").value = probabilities[Math.min(1, probabilities.length - 1)].label;
  if (model.corrections) say("saved", "");
  at("result").hidden = false;
}

function bar({ label, probability }) {
  const button = element("button", { type: "button", title: `Why ${label}?` },
    element("span", { textContent: label }), track(probability),
    element("span", { className: "number", textContent: percent(probability) }));
  button.dataset.label = label;
  button.addEventListener("click", () => explain(shown, label, ++turn));
  return element("li", {}, button);
}

async function explain(text, label, mine) {
  try {
    const why = await call("/explain", { text, label, n_terms: 200, n_neighbors: 5 });
    if (mine === turn) showExplanation(why);
  } catch (error) {
    if (mine === turn) say("status", error.message, "bad");
  }
}

// ---- why

function showExplanation(why) {
  for (const button of at("bars").querySelectorAll("button")) {
    button.setAttribute("aria-pressed", button.dataset.label === why.label);
  }
  at("why-title").textContent = `Why ${why.label}?`;
  const known = why.terms.length > 0;
  at("why-note").textContent = why.note || (known ? "" : "The classifier knows no word of this text.");
  at("why-note").hidden = known;
  at("why-terms").hidden = !known;
  const most = known ? Math.abs(why.terms[0].contribution) : 1;
  at("marked").replaceChildren(...marked(why.text, why.terms));
  at("marked").scrollTop = 0;
  const letters = Array.from(why.text);
  listTerms("for", why.terms.filter(({ contribution }) => contribution > 0), most, letters);
  listTerms("against", why.terms.filter(({ contribution }) => contribution < 0), most, letters);
  at("sum").textContent = `Every text starts at ${signed(why.constant)}, the terms add ${signed(why.score - why.constant)}: ` +
    `score ${signed(why.score)}. ` +
    (model.several ? `That is a probability of ${percent(why.probabilities[why.label])}.` : "The mean over the classes is 0.");
  at("neighbors").replaceChildren(...why.neighbors.map(({ similarity, label, excerpt }) => element("li", {},
    element("span", { className: "number", title: "cosine in the classifier's space", textContent: similarity.toFixed(2) }),
    element("span", { className: "name", textContent: [label].flat().join(", ") || "none" }),
    element("span", { className: "excerpt", textContent: excerpt }))));
  if (!why.neighbors.length) at("neighbors").append(element("li", { className: "muted", textContent: "None." }));
  at("why").hidden = false;
}

// Terms may be stems: they are shown as the text has them, with what is said of them, such as "(letters)".
function listTerms(id, terms, most, letters) {
  const written = (term, spans) => spans.length ? letters.slice(...spans[0]).join("") + (/ \(\w+\)$/.exec(term) || "") : term;
  at(id).replaceChildren(...terms.slice(0, 12).map(({ term, contribution, spans }) => element("li", {},
    element("span", { title: term, textContent: written(term, spans) }), track(Math.abs(contribution) / most),
    element("span", { className: "number", textContent: signed(contribution) }))));
  if (!terms.length) at(id).append(element("li", { className: "muted", textContent: "None." }));
}

// A word may belong to several terms ("oil" and "crude oil"): what they add, spread over their places, is summed.
function marked(text, terms) {
  const letters = Array.from(text); // places count code points, as Python does
  const edges = new Map();
  const add = (place, value, count) => {
    const edge = edges.get(place) || { value: 0, count: 0 };
    edges.set(place, { value: edge.value + value, count: edge.count + count });
  };
  for (const { contribution, spans } of terms) {
    for (const [start, end] of spans) {
      add(start, contribution / spans.length, 1);
      add(end, -contribution / spans.length, -1);
    }
  }
  const places = [...edges.keys()].sort((a, b) => a - b);
  const pieces = [];
  let value = 0, count = 0, from = 0;
  for (const place of [...places, letters.length]) {
    if (place > from) pieces.push({ words: letters.slice(from, place).join(""), value: count ? value : 0 });
    const edge = edges.get(place) || { value: 0, count: 0 };
    value += edge.value;
    count += edge.count;
    if (!count) value = 0;
    from = place;
  }
  const most = pieces.reduce((largest, piece) => Math.max(largest, Math.abs(piece.value)), 0);
  return pieces.map(({ words, value }) => {
    if (!value || Math.abs(value) < 0.05 * most) return words;
    const share = Math.abs(value) / most;
    const strength = share > 0.5 ? " strong" : share > 0.2 ? " middle" : "";
    const className = (value > 0 ? "for" : "against") + strength;
    return element("mark", { className, textContent: words, title: signed(value) });
  });
}

// ---- corrections

at("correction").addEventListener("submit", async (event) => {
  event.preventDefault();
  const labels = [...at("right-labels").selectedOptions].map((option) => option.value);
  const right = model.several ? { labels } : { label: at("right").value };
  try {
    const saved = await call("/corrections", { text: shown, ...right });
    say("saved", `saved as ${named(right)}${saved.new ? ", a new class" : ""}.`, "good");
  } catch (error) {
    say("saved", error.message, "bad");
  }
});

// ---- the model

const isObject = (value) => value !== null && typeof value === "object" && !Array.isArray(value);
const isSaid = (value) => value !== null && !(typeof value === "object" && !Object.keys(value).length);

// One line for each value of a card, and for each object that holds nothing but plain values.
function* entries(card, name = "") {
  for (const [key, value] of Object.entries(card)) {
    const full = name ? `${name}: ${key}` : key;
    if (!isSaid(value)) continue;
    if (isObject(value) && Object.values(value).some((inner) => typeof inner === "object")) yield* entries(value, full);
    else yield [full, worded(value)];
  }
}

function worded(value) {
  if (Array.isArray(value)) return value.map(worded).join(value.some((each) => String(each).endsWith(".")) ? " " : ", ");
  if (isObject(value)) return Object.entries(value).map(([key, inner]) => `${key.replaceAll("_", " ")} ${worded(inner)}`).join(", ");
  return typeof value === "number" && !Number.isInteger(value) ? String(+value.toPrecision(4)) : String(value);
}

function showCard(card) {
  const first = FIRST.filter((key) => key in card);
  const rest = Object.keys(card).filter((key) => !FIRST.includes(key));
  const ordered = Object.fromEntries([...first, ...rest].map((key) => [key, card[key]]));
  at("card").replaceChildren(...[...entries(ordered)].flatMap(([name, value]) =>
    [element("dt", { textContent: name.replaceAll("_", " ") }), element("dd", { textContent: value })]));
}

async function start() {
  model = await call("/model");
  const { name, n_labelled } = model.card.data ?? {};
  at("result-title").textContent = model.several ? "Labels" : "Class";
  document.body.classList.toggle("long-names", model.classes.some((label) => label.length > LONG_NAME));
  at("right").hidden = model.several;
  at("right").required = !model.several;
  at("right-labels").hidden = !model.several;
  at("served").textContent = `${model.classes.length} ${kinds(model.classes.length)}` +
    (n_labelled ? `, learned from ${n_labelled.toLocaleString("en")} texts` : "") + (name ? ` of ${name}` : "");
  for (const choice of ["right-classes", "right-labels"])
    at(choice).replaceChildren(...model.classes.map((label) => element("option", { value: label, textContent: model.paths[label].join(" › ") })));
  if (!model.corrections) {
    at("correction").hidden = true;
    say("saved", "Corrections are not saved: start the service with --corrections FILE to keep them.", "muted small");
  }
  showCard(model.card);
}

at("form").addEventListener("submit", (event) => {
  event.preventDefault();
  at("many").hidden = true;
  classify(at("text").value);
});
at("text").addEventListener("keydown", (event) => {
  if (event.key === "Enter" && (event.ctrlKey || event.metaKey)) at("form").requestSubmit();
});
at("clear").addEventListener("click", () => {
  turn++;
  at("text").value = "";
  at("many").hidden = true;
  hideResult();
  say("status", "");
  at("text").focus();
});
at("file").addEventListener("change", () => {
  if (at("file").files.length) open(at("file").files[0]);
  at("file").value = ""; // the same file may be chosen again
});
document.addEventListener("dragover", (event) => {
  event.preventDefault();
  at("ask").classList.add("drop");
});
for (const over of ["dragleave", "drop"]) document.addEventListener(over, () => at("ask").classList.remove("drop"));
document.addEventListener("drop", (event) => {
  event.preventDefault();
  const [file] = event.dataTransfer.files;
  if (file) open(file);
  else if (event.dataTransfer.getData("text")) at("text").value = event.dataTransfer.getData("text");
});
const ready = start(); // a text may be there before the model is known
ready.catch((error) => say("status", error.message, "bad"));
