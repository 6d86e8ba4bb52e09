(() => {
  "use strict";
  const data = JSON.parse(document.getElementById("map-data").textContent);
  const picture = document.getElementById("map-picture");
  const hint = document.getElementById("map-hint");
  const only = document.getElementById("map-class");
  const find = document.getElementById("map-find");
  const wrong = document.getElementById("map-wrong");
  const keys = [...document.querySelectorAll("#map-legend button")];
  const dots = picture.querySelector(".dots");
  const names = [...picture.querySelectorAll(".names text")].map((text) => ({
    text, group: Number(text.dataset.group), x: Number(text.getAttribute("x")), y: Number(text.getAttribute("y")),
  }));
  const whole = picture.viewBox.baseVal;
  const flat = whole.height;
  const full = { x: 0, y: 0, width: whole.width, height: flat };
  const margin = Number(picture.dataset.margin);
  let view = { ...full };
  let drag = null;
  let tall = 1; // how much taller the map is than it was drawn: on a phone it has no room to be wide

  const spots = data.x.map((x, i) => ({
    x: margin + x * (full.width - 2 * margin),
    flat: margin + (1 - data.y[i]) * (flat - 2 * margin),
    group: data.group[i],
    bad: data.predicted[i] !== data.group[i],
    i,
  }));
  const ring = document.createElementNS(picture.namespaceURI, "path");
  ring.setAttribute("class", "spot");
  picture.prepend(ring);

  function stretch() {
    tall = picture.clientWidth < 600 ? 1.9 : 1;
    full.height = flat * tall;
    for (const spot of spots) spot.y = spot.flat * tall;
    dots.setAttribute("transform", `scale(1 ${tall})`); // strokes do not scale, so that dots stay round
    view = { ...full };
    show();
  }

  function isShown(group) {
    const wanted = find.value.trim().toLowerCase();
    return (only.value === "" || String(group) === only.value) && data.names[group].toLowerCase().includes(wanted);
  }

  function show() {
    picture.setAttribute("viewBox", `${view.x} ${view.y} ${view.width} ${view.height}`);
    picture.classList.toggle("enlarged", view.width < full.width);
    // Names keep their size on the screen, whatever the enlargement.
    picture.style.fontSize = (13 * view.width) / Math.max(picture.clientWidth, 1) + "px";
    placeNames();
  }

  // Of the names those are shown that have room, the largest classes first; each within the picture.
  function placeNames() {
    const height = 1.25 * parseFloat(picture.style.fontSize);
    const taken = [];
    for (const { text, group, x, y } of names) {
      const half = text.getComputedTextLength() / 2 + height / 4;
      const middle = Math.max(view.x + half, Math.min(x, view.x + view.width - half));
      const base = y * tall;
      text.setAttribute("x", middle);
      text.setAttribute("y", base);
      const inView = x >= view.x && x <= view.x + view.width && base >= view.y && base <= view.y + view.height;
      const free = taken.every((other) => Math.abs(other.y - base) > height || Math.abs(other.x - middle) > other.half + half);
      const fits = inView && free && isShown(group);
      text.classList.toggle("fits", fits);
      if (fits) taken.push({ x: middle, y: base, half });
    }
  }

  function hide() {
    hint.hidden = true;
    ring.removeAttribute("d");
  }

  function filter() {
    for (const part of dots.children) part.classList.toggle("faded", !isShown(Number(part.dataset.group)));
    for (const key of keys) {
      key.parentElement.hidden = !data.names[key.dataset.group].toLowerCase().includes(find.value.trim().toLowerCase());
      key.setAttribute("aria-pressed", key.dataset.group === only.value);
    }
    picture.classList.toggle("only-wrong", wrong.checked);
    placeNames();
    hide();
  }

  function place(event) {
    const box = picture.getBoundingClientRect();
    return {
      x: view.x + ((event.clientX - box.left) / box.width) * view.width,
      y: view.y + ((event.clientY - box.top) / box.height) * view.height,
      pixel: view.width / box.width,
    };
  }

  function nearest(event) {
    const at = place(event);
    let best = null;
    let least = (14 * at.pixel) ** 2;
    for (const spot of spots) {
      if (!isShown(spot.group)) continue;
      if (wrong.checked && !spot.bad) continue;
      const distance = (spot.x - at.x) ** 2 + (spot.y - at.y) ** 2;
      if (distance < least) [best, least] = [spot, distance];
    }
    return best;
  }

  function line(tag, text, style) {
    const element = document.createElement(tag);
    element.textContent = text;
    if (style) element.className = style;
    hint.append(element);
  }

  function point(event) {
    const spot = nearest(event);
    if (!spot) return hide();
    hint.replaceChildren();
    line("b", data.names[data.group[spot.i]]);
    if (spot.bad) line("b", "was called " + data.names[data.predicted[spot.i]], "bad");
    line("span", data.text[spot.i]);
    if (data.place) line("small", data.place[spot.i], "muted");
    hint.hidden = false;
    ring.setAttribute("d", `M${spot.x} ${spot.y}h0`);
    const box = picture.getBoundingClientRect();
    const start = box.top - picture.parentElement.getBoundingClientRect().top;
    const left = ((spot.x - view.x) / view.width) * box.width;
    const top = ((spot.y - view.y) / view.height) * box.height + start;
    const above = top - hint.offsetHeight - 14;
    hint.style.left = Math.max(0, Math.min(left + 14, box.width - hint.offsetWidth)) + "px";
    hint.style.top = (above > start ? above : top + 14) + "px";
  }

  function enlarge(factor) {
    const width = Math.min(full.width, Math.max(full.width / 16, view.width / factor));
    const height = (width * full.height) / full.width;
    look(view.x + (view.width - width) / 2, view.y + (view.height - height) / 2, width, height);
  }

  function look(x, y, width, height) {
    view = {
      x: Math.max(0, Math.min(x, full.width - width)),
      y: Math.max(0, Math.min(y, full.height - height)),
      width,
      height,
    };
    hide();
    show();
  }

  picture.addEventListener("pointerdown", (event) => {
    if (view.width < full.width) drag = place(event);
    point(event);
  });
  picture.addEventListener("pointermove", (event) => {
    if (!drag) return point(event);
    const at = place(event);
    look(view.x + drag.x - at.x, view.y + drag.y - at.y, view.width, view.height);
  });
  addEventListener("pointerup", () => (drag = null));
  picture.addEventListener("pointerleave", (event) => event.pointerType === "mouse" && hide());
  document.getElementById("map-in").addEventListener("click", () => enlarge(2));
  document.getElementById("map-out").addEventListener("click", () => enlarge(0.5));
  document.getElementById("map-all").addEventListener("click", () => look(0, 0, full.width, full.height));
  for (const key of keys) {
    key.addEventListener("click", () => {
      only.value = only.value === key.dataset.group ? "" : key.dataset.group;
      filter();
    });
  }
  only.addEventListener("change", filter);
  find.addEventListener("input", filter);
  wrong.addEventListener("change", filter);
  let seen = picture.clientWidth;
  addEventListener("resize", () => {
    if (picture.clientWidth === seen) return show(); // a phone hides its address bar
    seen = picture.clientWidth;
    stretch();
  });
  stretch();
  filter(); // a browser that comes back to the page keeps the values of the controls
})();
