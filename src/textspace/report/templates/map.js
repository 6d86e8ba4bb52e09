(() => {
  "use strict";
  const data = JSON.parse(document.getElementById("map-data").textContent);
  const picture = document.getElementById("map-picture");
  const hint = document.getElementById("map-hint");
  const only = document.getElementById("map-class");
  const wrong = document.getElementById("map-wrong");
  const whole = picture.viewBox.baseVal;
  const full = { x: 0, y: 0, width: whole.width, height: whole.height };
  const margin = Number(picture.dataset.margin);
  let view = { ...full };
  let drag = null;

  const spots = data.x.map((x, i) => ({
    x: margin + x * (full.width - 2 * margin),
    y: margin + (1 - data.y[i]) * (full.height - 2 * margin),
    group: data.group[i],
    bad: data.predicted[i] !== data.group[i],
    i,
  }));
  const ring = document.createElementNS(picture.namespaceURI, "path");
  ring.setAttribute("class", "spot");
  picture.prepend(ring);

  function show() {
    picture.setAttribute("viewBox", `${view.x} ${view.y} ${view.width} ${view.height}`);
    picture.classList.toggle("enlarged", view.width < full.width);
    // Names keep their size on the screen, whatever the enlargement.
    picture.style.fontSize = (13 * view.width) / Math.max(picture.clientWidth, 1) + "px";
  }

  function hide() {
    hint.hidden = true;
    ring.removeAttribute("d");
  }

  function filter() {
    for (const part of picture.querySelectorAll("[data-group]")) {
      part.classList.toggle("faded", only.value !== "" && part.dataset.group !== only.value);
    }
    picture.classList.toggle("only-wrong", wrong.checked);
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
      if (only.value !== "" && String(spot.group) !== only.value) continue;
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
  only.addEventListener("change", filter);
  wrong.addEventListener("change", filter);
  addEventListener("resize", show);
  filter(); // a browser that comes back to the page keeps the values of the controls
  show();
})();
