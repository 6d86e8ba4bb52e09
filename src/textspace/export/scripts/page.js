// The page: a text in, probabilities and terms out. Labels and terms are text, never HTML.

const SHOWN_LABELS = 8, TERMS_OF_PAGE = 14, PAUSE = 150; // milliseconds without a key
const element = (id) => document.getElementById(id);
let model = null, explained = null, showsAll = false, timer = 0;

function line(kind, name, share, number) {
  const parts = [["name", name], ["track", ""], ["number", number]].map(([style, text]) => {
    const part = document.createElement("span");
    part.className = style;
    part.textContent = text;
    return part;
  });
  const bar = document.createElement("span");
  bar.className = "bar";
  bar.style.width = `${100 * Math.min(1, share)}%`;
  parts[1].append(bar);
  const whole = document.createElement(kind);
  whole.append(...parts);
  return whole;
}

function show() {
  const text = element("text").value;
  element("answer").hidden = !model || !text.trim();
  if (element("answer").hidden) return;
  const answer = model.classify(text, { explain: explained, terms: TERMS_OF_PAGE });
  element("labels").textContent = answer.labels.join(", ") || "no label";
  const shown = showsAll ? answer.probabilities : answer.probabilities.slice(0, SHOWN_LABELS);
  element("more").hidden = shown.length === answer.probabilities.length;
  element("probabilities").replaceChildren(...shown.map(({ label, probability }) => {
    const button = line("button", label, probability, `${(100 * probability).toFixed(1)} %`);
    button.type = "button";
    button.setAttribute("aria-pressed", String(label === answer.explained));
    button.onclick = () => { explained = label; show(); };
    const item = document.createElement("li");
    item.append(button);
    return item;
  }));
  element("explained").textContent = answer.explained;
  const most = Math.max(...answer.terms.map(({ contribution }) => Math.abs(contribution)));
  element("terms").replaceChildren(...answer.terms.map(({ term, contribution }) => {
    const sign = contribution < 0 ? "−" : "+", size = Math.abs(contribution);
    const item = line("li", term, size / most, sign + size.toFixed(2));
    if (contribution < 0) item.className = "against";
    return item;
  }));
  element("unknown").hidden = answer.terms.length > 0;
}

element("text").addEventListener("input", () => {
  explained = null;
  clearTimeout(timer);
  timer = setTimeout(show, PAUSE);
});
element("more").addEventListener("click", () => { showsAll = true; show(); });

unpack(DATA).then((data) => {
  model = new Model(data);
  element("status").textContent = `${model.labels.length} labels.`;
  show();
}, () => {
  element("status").textContent = "This browser cannot unpack the model: use one of 2023 or later.";
});
