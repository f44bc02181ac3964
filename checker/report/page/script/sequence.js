// Messages around the step as a sequence diagram: a column for each node, a row for each step.
const AROUND = 9, NARROWEST = 92, ROW = 24, SIGN = 6.8;

class Sequence {
  constructor(film) {
    this.film = film;
    this.svg = film.one("sequence");
  }
  draw() {
    const { film, svg } = this;
    svg.replaceChildren();
    const low = Math.max(film.first + 1, film.step - AROUND), high = Math.min(film.last, Math.max(film.step + AROUND, low + 2 * AROUND));
    const shots = film.data.shots.slice(low - film.first - 1, Math.max(high, low - 1) - film.first), within = (step) => step >= low && step <= high;
    const messages = [...film.messages.values()].filter((each) => within(each.taken) || within(each.sent));
    const involved = film.data.nodes.filter((node) => shots.some((shot) => shot.node === node) || messages.some((each) => each.to === node || each.from === node));
    const names = shots.map((shot, place) => `${said(low + place)} ${shot.rules && shot.rules[0] ? shot.rules[0][0] : shot.kind || ""}`);
    const each = Math.max(NARROWEST, ...involved.map((node) => SIGN * node.length + 16));
    const margin = 24 + SIGN * Math.max(14, ...names.map((name) => name.length)), wide = margin + each * involved.length + 20, tall = 62 + ROW * Math.max(1, shots.length);
    const column = (node) => margin + each * involved.indexOf(node) + each / 2;
    const row = (step) => (step < low ? 36 : step > high ? tall - 6 : 54 + ROW * (step - low));
    svg.setAttribute("viewBox", `0 0 ${wide} ${tall}`);
    svg.style.width = `${wide}px`;
    shape("text", { x: 4, y: 20, "font-size": 11, class: "axis" }, svg).textContent = "step and rule";
    for (const node of involved) {
      shape("line", { class: "life", x1: column(node), x2: column(node), y1: 32, y2: tall - 4 }, svg);
      shape("text", { x: column(node), y: 20, "text-anchor": "middle", "font-size": 11 }, svg).textContent = node;
    }
    for (const message of messages) if (involved.includes(message.to)) this.arrow(message, column, row, margin, low, high);
    shots.forEach((shot, place) => this.event(shot, low + place, names[place], column, row));
  }
  arrow(message, column, row, margin, low, high) {
    const { film, svg } = this, from = message.from && column(message.from) ? column(message.from) : margin - 4;
    const pending = message.sent < low || message.taken > high, ends = [from, row(message.sent), column(message.by || message.to), row(message.taken)];
    const group = shape("g", { class: "message-arrow" }, svg), [x1, y1, x2, y2] = ends;
    shape("line", { class: "grip", x1, y1, x2, y2 }, group);
    shape("line", { class: pending ? "arrow pending" : "arrow", x1, y1, x2, y2 }, group);
    if (message.taken <= high) {
      const turn = Math.atan2(y2 - y1, x2 - x1), side = (by) => `${x2 - 9 * Math.cos(turn + by)},${y2 - 9 * Math.sin(turn + by)}`;
      shape("path", { class: "tip", d: `M${x2},${y2} L${side(0.4)} L${side(-0.4)} z` }, group);
    }
    shape("title", {}, group).textContent = `message ${message.id}, ${message.kind}, from ${message.from || "the start"} to ${message.to}`;
    group.addEventListener("click", () => film.showMessage(message.id));
  }
  event(shot, step, name, column, row) {
    const { film, svg } = this, now = step === film.step, group = shape("g", { class: now ? "event now" : "event" }, svg);
    const wrong = film.root.parentElement.querySelector(`.violations [data-step="${step}"][data-film="${film.number}"]`);
    shape("text", { x: 4, y: row(step) + 4, "font-size": 11 }, group).textContent = `${wrong ? "✗ " : now ? "▸ " : ""}${name}`;
    shape("circle", { cx: column(shot.node), cy: row(step), r: now ? 6 : 4 }, group);
    if (wrong) group.classList.add("wrong");
    shape("title", {}, group).textContent = `step ${said(step)}: ${shot.node} took ${film.input(shot)}`;
    group.addEventListener("click", () => film.jump(step));
  }
}
