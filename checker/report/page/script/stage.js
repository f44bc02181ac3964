// The picture: nodes, lines between them, and messages in flight as dots.
const SCALE = 230, MIDDLE = 320, MOST_DOTS = 400, MOST_NAMES = 40;
const at = (spot) => [MIDDLE + SCALE * spot[0], MIDDLE + SCALE * spot[1]];
const sideOf = (spot) => (spot[0] < -0.1 ? "end" : spot[0] > 0.1 ? "start" : "middle");

class Stage {
  constructor(film) {
    this.film = film;
    this.svg = film.one("stage");
    this.dots = new Map();
    this.layers = ["lines", "spots", "dots"].map((name) => shape("g", { class: name }, this.svg));
    this.fit();
    new ResizeObserver(() => { this.fit(); this.draw(film.shot(film.step), false); }).observe(this.svg);
  }
  // As wide and high as the farthest node and the longest label need; on a narrow page, labels are larger than nodes.
  fit() {
    const { spots, shots } = this.film.data, width = this.svg.clientWidth || 640;
    this.size = Math.max(12, Math.min(22, (12 * 800) / width));
    let across = 260, down = 160;
    for (const scene of [spots, ...shots.map((shot) => shot.spots || {})]) for (const spot of Object.values(scene)) {
      const reach = sideOf(spot) === "middle" ? this.wide(spot) / 2 : this.wide(spot) + 14;
      across = Math.max(across, Math.abs(SCALE * spot[0]) + reach + 8);
      down = Math.max(down, Math.abs(SCALE * spot[1]) + 2 * this.size + 12);
    }
    this.across = across;
    this.reach(down);
  }
  reach(down) {
    this.down = down;
    this.svg.setAttribute("viewBox", `${MIDDLE - this.across} ${MIDDLE - down} ${2 * this.across} ${2 * down}`);
  }
  wide(spot) { return spot[2].length * this.size * 0.62; }
  draw(shot, moving) {
    this.svg.classList.toggle("still", !moving);
    this.drawLines();
    this.drawSpots(shot && shot.node);
    this.drawDots(shot, moving);
  }
  drawLines() {
    const layer = this.layers[0], { lines, spots } = this.film.scene;
    layer.replaceChildren();
    for (const [node, leaving] of Object.entries(lines)) for (const [to, level, right] of leaving) {
      if (!spots[to] || to === node) continue;
      const [x, y] = at(spots[node]), [u, v] = at(spots[to]), bend = level ? 0.12 : 0.03;
      const line = shape("path", { class: right ? "line" : "line wrong", d: `M${x},${y} Q${(x + u) / 2 + bend * (v - y)},${(y + v) / 2 - bend * (u - x)} ${u},${v}` }, layer);
      line.style.stroke = `var(--level-${Math.min(level, 6)})`;
    }
  }
  drawSpots(acting) {
    const layer = this.layers[1], few = this.film.data.nodes.length <= MOST_NAMES, standing = [];
    layer.replaceChildren();
    const spots = Object.entries(this.film.scene.spots);
    for (const [node, spot] of spots) {
      const [x, y] = at(spot);
      const circle = shape("circle", { class: `spot ${spot[3]}${node === acting ? " acts" : ""}`, cx: x, cy: y, r: few ? 7 : 4.5 }, layer);
      shape("title", {}, circle).textContent = spot[2];
      circle.addEventListener("click", () => this.film.choose(node));
    }
    for (const [node, spot] of spots) if (few || node === acting) this.label(spot, standing, layer);
  }
  // A label that would cover one that stands already goes further out.
  label(spot, standing, layer) {
    const side = sideOf(spot), wide = this.wide(spot), high = this.size + 1;
    let [x, y] = at(spot);
    x += side === "start" ? 11 : side === "end" ? -11 : 0;
    y += side === "middle" ? (spot[1] > 0 ? this.size + 10 : -12) : this.size / 3;
    const left = x - (side === "end" ? wide : side === "middle" ? wide / 2 : 0);
    while (standing.some(([from, low, far]) => Math.abs(y - low) < high && left < from + far && from < left + wide)) y += spot[1] < 0 ? -high : high;
    if (Math.abs(y - MIDDLE) + high > this.down) this.reach(Math.abs(y - MIDDLE) + high);
    standing.push([left, y, wide]);
    shape("text", { x, y, "text-anchor": side, "font-size": this.size }, layer).textContent = spot[2];
  }
  rest(message) {
    const { spots } = this.film.scene, to = spots[message[2]];
    if (!to) return null;
    const from = spots[message[1]] || [0, 0.02], turn = (message[0] * 2.4) % 6.283;
    const [x, y] = at(from), [u, v] = at(to);
    return [x + 0.66 * (u - x) + 7 * Math.cos(turn), y + 0.66 * (v - y) + 7 * Math.sin(turn)];
  }
  drawDots(shot, moving) {
    const move = (dot, [x, y]) => { dot.style.transform = `translate(${x}px, ${y}px)`; };
    const { flying, spots } = this.film.scene, kept = new Set([...flying.keys()].slice(-MOST_DOTS));
    for (const [id, dot] of this.dots) if (!kept.has(id)) {
      this.dots.delete(id);
      const target = moving && shot && shot.took === id ? spots[shot.node] : null;
      if (!target) { dot.remove(); continue; }
      move(dot, at(target));
      setTimeout(() => dot.remove(), 300);
    }
    for (const id of kept) {
      const message = flying.get(id), place = this.rest(message);
      if (!place) continue;
      let dot = this.dots.get(id);
      if (!dot) {
        dot = shape("circle", { class: "dot", r: 4 }, this.layers[2]);
        shape("title", {}, dot).textContent = `${id}: ${message[4]} to ${message[2]}`;
        dot.addEventListener("click", () => this.film.showMessage(id));
        this.dots.set(id, dot);
        if (moving && spots[message[1]]) { move(dot, at(spots[message[1]])); dot.getBoundingClientRect(); }
      }
      move(dot, place);
    }
  }
}
