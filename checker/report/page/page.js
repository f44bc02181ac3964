"use strict";
// One film: a first scene and what each step changes. To go back, the scene is taken from the nearest kept one.
(function () {
  const SVG = "http://www.w3.org/2000/svg", KEPT = 200, AROUND = 9, SCALE = 230, MIDDLE = 320, MOST_DOTS = 400;
  const make = (name, attributes, parent) => {
    const made = document.createElementNS(SVG, name);
    for (const [key, value] of Object.entries(attributes)) made.setAttribute(key, value);
    if (parent) parent.appendChild(made);
    return made;
  };
  const said = (number) => number.toLocaleString("en");
  const at = (spot) => [MIDDLE + SCALE * spot[0], MIDDLE + SCALE * spot[1]];

  class Film {
    constructor(root) {
      this.root = root;
      this.data = JSON.parse(root.querySelector("script").textContent);
      this.steps = this.data.shots.length;
      this.scene = this.first();
      this.kept = new Map([[0, this.copy()]]);
      this.step = 0;
      this.dots = new Map();
      this.playing = null;
      this.lives = this.lifeOfMessages();
      this.find();
      this.strips();
      this.listen();
      this.go(Number(root.dataset.first) || 0, false);
    }
    first() {
      const { spots, lines, false: wrong, flying } = this.data;
      return { spots: { ...spots }, lines: { ...lines }, wrong: { ...wrong }, flying: new Map(flying.map((each) => [each[0], each])) };
    }
    copy() {
      const { spots, lines, wrong, flying } = this.scene;
      return { spots: { ...spots }, lines: { ...lines }, wrong: { ...wrong }, flying: new Map(flying) };
    }
    find() {
      const one = (name) => this.root.querySelector("." + name);
      this.stage = one("stage"); this.slider = one("slider"); this.where = one("where"); this.sequence = one("sequence");
      this.changes = one("changes"); this.told = one("told"); this.play = one("play");
      this.layers = ["lines", "spots", "dots"].map((name) => make("g", { class: name }, this.stage));
      this.slider.max = this.steps;
    }
    listen() {
      const jumps = { back: () => this.step - 1, next: () => this.step + 1, violation: () => Number(this.root.dataset.violation),
        legitimate: () => Number(this.root.dataset.legitimate) };
      for (const [name, target] of Object.entries(jumps)) {
        const button = this.root.querySelector("." + name);
        if (button) button.addEventListener("click", () => { this.stop(); this.go(target(), true); });
      }
      this.play.addEventListener("click", () => this.toggle());
      this.slider.addEventListener("input", () => { this.stop(); this.go(Number(this.slider.value), false); });
      this.root.addEventListener("keydown", (event) => this.key(event));
    }
    key(event) {
      if (event.target === this.slider && !["v", "l", " "].includes(event.key)) return;
      if (event.target.tagName === "BUTTON" && event.key === " ") return;
      const keys = { ArrowRight: this.step + 1, ArrowLeft: this.step - 1, PageDown: this.step + 10, PageUp: this.step - 10, Home: 0, End: this.steps };
      if (event.key === "v" && this.root.dataset.violation) keys.v = Number(this.root.dataset.violation);
      if (event.key === "l" && this.root.dataset.legitimate) keys.l = Number(this.root.dataset.legitimate);
      if (event.key === " ") { event.preventDefault(); this.toggle(); return; }
      if (keys[event.key] === undefined || event.ctrlKey || event.metaKey || event.altKey) return;
      event.preventDefault();
      this.stop();
      this.go(keys[event.key], true);
    }
    toggle() {
      if (this.playing) return this.stop();
      if (this.step === this.steps) this.go(0, false);
      this.play.textContent = "Pause";
      this.playing = setInterval(() => { if (this.step === this.steps) this.stop(); else this.go(this.step + 1, true); }, 420);
    }
    stop() {
      clearInterval(this.playing);
      this.playing = null;
      this.play.textContent = "Play";
    }
    go(step, moving) {
      step = Math.max(0, Math.min(this.steps, step || 0));
      const single = step === this.step + 1;
      if (step < this.step) {
        const from = Math.floor(step / KEPT) * KEPT, kept = this.kept.get(from);
        this.scene = kept;
        this.scene = this.copy();
        this.step = from;
      }
      while (this.step < step) this.forward();
      this.draw(moving && single);
    }
    forward() {
      const shot = this.data.shots[this.step], scene = this.scene;
      Object.assign(scene.spots, shot.spots);
      Object.assign(scene.lines, shot.lines);
      Object.assign(scene.wrong, shot.false);
      if (shot.took !== undefined && shot.took !== null) scene.flying.delete(shot.took);
      for (const each of shot.sent || []) scene.flying.set(each[0], each);
      this.step += 1;
      if (this.step % KEPT === 0 && !this.kept.has(this.step)) this.kept.set(this.step, this.copy());
    }
    draw(moving) {
      this.root.classList.toggle("still-film", !moving);
      const shot = this.step ? this.data.shots[this.step - 1] : null;
      this.slider.value = this.step;
      const faults = Object.values(this.scene.wrong).reduce((sum, each) => sum + each, 0);
      this.where.textContent = `step ${said(this.step)} of ${said(this.steps)}` + (faults ? `: ${faults} false` : ": legitimate");
      this.root.dataset.step = this.step;
      this.drawLines();
      this.drawSpots(shot && shot.node);
      this.drawDots(shot, moving);
      this.drawTruth();
      this.drawStep(shot);
      this.drawSequence();
    }
    drawLines() {
      const layer = this.layers[0];
      layer.replaceChildren();
      for (const [node, lines] of Object.entries(this.scene.lines)) for (const [to, level, right] of lines) {
        const other = this.scene.spots[to];
        if (!other || to === node) continue;
        const [x, y] = at(this.scene.spots[node]), [u, v] = at(other), bend = level ? 0.12 : 0.03;
        const line = make("path", { class: right ? "line" : "line wrong", d: `M${x},${y} Q${(x + u) / 2 + bend * (v - y)},${(y + v) / 2 - bend * (u - x)} ${u},${v}` }, layer);
        line.style.stroke = `var(--level-${Math.min(level, 6)})`;
      }
    }
    drawSpots(acting) {
      const layer = this.layers[1];
      layer.replaceChildren();
      const few = this.data.nodes.length <= 40;
      for (const [node, spot] of Object.entries(this.scene.spots)) {
        const [x, y] = at(spot);
        const circle = make("circle", { class: `spot ${spot[3]}${node === acting ? " acts" : ""}`, cx: x, cy: y, r: few ? 7 : 4.5 }, layer);
        make("title", {}, circle).textContent = spot[2];
        if (!few && node !== acting) continue;
        const side = spot[0] < -0.2 ? "end" : spot[0] > 0.2 ? "start" : "middle";
        const text = make("text", { x: x + (side === "start" ? 11 : side === "end" ? -11 : 0), y: y + (side === "middle" ? (spot[1] > 0 ? 22 : -12) : 4), "text-anchor": side, "font-size": 12 }, layer);
        text.textContent = spot[2];
      }
    }
    rest(message) {
      const to = this.scene.spots[message[2]];
      if (!to) return null;
      const from = this.scene.spots[message[1]] || [0, 0.02], turn = (message[0] * 2.4) % 6.283;
      const [x, y] = at(from), [u, v] = at(to);
      return [x + 0.66 * (u - x) + 7 * Math.cos(turn), y + 0.66 * (v - y) + 7 * Math.sin(turn)];
    }
    drawDots(shot, moving) {
      const move = (dot, [x, y]) => { dot.style.transform = `translate(${x}px, ${y}px)`; };
      const kept = new Set([...this.scene.flying.keys()].slice(-MOST_DOTS));
      for (const [id, dot] of this.dots) if (!kept.has(id)) {
        this.dots.delete(id);
        const target = moving && shot && shot.took === id ? this.scene.spots[shot.node] : null;
        if (!target) { dot.remove(); continue; }
        move(dot, at(target));
        setTimeout(() => dot.remove(), 300);
      }
      for (const id of kept) {
        const message = this.scene.flying.get(id), place = this.rest(message);
        if (!place) continue;
        let dot = this.dots.get(id);
        if (!dot) {
          dot = make("circle", { class: "dot", r: 4 }, this.layers[2]);
          make("title", {}, dot).textContent = `${message[0]}: ${message[4]} to ${message[2]}`;
          this.dots.set(id, dot);
          if (moving && this.scene.spots[message[1]]) { move(dot, at(this.scene.spots[message[1]])); dot.getBoundingClientRect(); }
        }
        move(dot, place);
      }
    }
    strips() {
      const began = {}, spans = {}, wrong = { ...this.data.false };
      const note = (name, step) => {
        if (wrong[name] && began[name] === undefined) began[name] = step;
        if (!wrong[name] && began[name] !== undefined) { (spans[name] ||= []).push([began[name], step]); delete began[name]; }
      };
      Object.keys(this.data.conjuncts).forEach((name) => note(name, 0));
      this.data.shots.forEach((shot, place) => { for (const [name, count] of Object.entries(shot.false || {})) { wrong[name] = count; note(name, place + 1); } });
      for (const name of Object.keys(began)) (spans[name] ||= []).push([began[name], this.steps + 1]);
      this.rows = new Map();
      for (const row of this.root.querySelectorAll(".conjuncts tr")) {
        const strip = row.querySelector("svg"), width = this.steps + 1;
        strip.setAttribute("viewBox", `0 0 ${width} 10`);
        for (const [from, to] of spans[row.dataset.name] || []) make("rect", { x: from, y: 0, width: to - from, height: 10 }, strip);
        const cursor = make("line", { y1: 0, y2: 10 }, strip);
        strip.addEventListener("click", (event) => {
          const box = strip.getBoundingClientRect();
          this.stop();
          this.go(Math.floor(((event.clientX - box.left) / box.width) * width), false);
        });
        this.rows.set(row.dataset.name, [row.querySelector(".truth"), cursor]);
      }
    }
    drawTruth() {
      for (const [name, [truth, cursor]] of this.rows) {
        const count = this.scene.wrong[name] || 0;
        truth.textContent = count ? (count > 1 ? `f ×${count}` : "f") : "t";
        truth.className = "truth " + (count ? "f" : "t");
        cursor.setAttribute("x1", this.step + 0.5);
        cursor.setAttribute("x2", this.step + 0.5);
      }
    }
    drawStep(shot) {
      this.changes.replaceChildren();
      if (!shot) { this.told.textContent = "Before the first step."; return; }
      const rules = (shot.rules || []).map(([name, source]) => `${name} [${source}]`).join(", ");
      this.told.textContent = `${shot.node} took ${shot.what}${rules ? ` — rule ${rules}` : ""}`;
      const row = (where, before, after) => {
        const line = document.createElement("tr");
        [[where, "mono"], [before, "mono old"], [after, "mono new"]].forEach(([text, look]) => {
          const cell = document.createElement("td");
          cell.className = look;
          cell.textContent = text;
          line.appendChild(cell);
        });
        this.changes.appendChild(line);
      };
      for (const [where, before, after] of shot.changed || []) row(where || "state", before, after);
      for (const each of shot.sent || []) row(`sent to ${each[2]}`, "", each[4]);
      for (const each of shot.delivered || []) row("to the application", "", each);
      if (!this.changes.children.length) row("nothing changed", "", "");
    }
    lifeOfMessages() {
      const lives = new Map(this.data.flying.map((each) => [each[0], { from: each[1], sent: 0, to: each[2], taken: Infinity, kind: each[3] }]));
      this.data.shots.forEach((shot, place) => {
        const life = shot.took === undefined ? null : lives.get(shot.took);
        if (life) { life.taken = place + 1; life.to = shot.node; }
        for (const each of shot.sent || []) lives.set(each[0], { from: shot.node, sent: place + 1, to: each[2], taken: Infinity, kind: each[3] });
      });
      return [...lives.values()];
    }
    drawSequence() {
      const svg = this.sequence;
      svg.replaceChildren();
      const low = Math.max(1, this.step - AROUND), high = Math.min(this.steps, Math.max(this.step + AROUND, low + 2 * AROUND));
      const shots = this.data.shots.slice(low - 1, high);
      const lives = this.lives.filter((life) => life.taken >= low && life.taken <= high || (life.sent >= low && life.sent <= high));
      const involved = this.data.nodes.filter((node) => shots.some((shot) => shot.node === node) || lives.some((life) => life.to === node || life.from === node));
      const wide = 170 + 92 * involved.length, tall = 56 + 24 * (high - low + 1), column = (node) => 146 + 92 * involved.indexOf(node) + 46;
      const row = (step) => (step < low ? 34 : step > high ? tall - 6 : 52 + 24 * (step - low));
      svg.setAttribute("viewBox", `0 0 ${wide} ${tall}`);
      svg.style.maxWidth = `${wide}px`;
      for (const node of involved) {
        make("line", { class: "life", x1: column(node), x2: column(node), y1: 30, y2: tall - 4 }, svg);
        make("text", { x: column(node), y: 20, "text-anchor": "middle", "font-size": 11 }, svg).textContent = node;
      }
      for (const life of lives) {
        if (!involved.includes(life.to)) continue;
        const from = involved.includes(life.from) ? column(life.from) : 134, pending = life.sent < low || life.taken > high;
        const arrow = make("line", { class: pending ? "arrow pending" : "arrow", x1: from, y1: row(life.sent), x2: column(life.to), y2: row(life.taken), "marker-end": life.taken > high ? "" : "url(#head)" }, svg);
        make("title", {}, arrow).textContent = `${life.kind} from ${life.from || "before the first step"} to ${life.to}`;
      }
      shots.forEach((shot, place) => {
        const step = low + place, now = step === this.step;
        make("text", { x: 4, y: row(step) + 4, "font-size": 11, class: now ? "now" : "step" }, svg).textContent = `${said(step)} ${(shot.rules && shot.rules[0] ? shot.rules[0][0] : "").slice(0, 20)}`;
        make("circle", { class: now ? "now" : "step", cx: column(shot.node), cy: row(step), r: now ? 5 : 3 }, svg);
      });
      const marks = make("defs", {}, svg), head = make("marker", { id: "head", viewBox: "0 0 8 8", refX: 8, refY: 4, markerWidth: 7, markerHeight: 7, orient: "auto-start-reverse" }, marks);
      make("path", { d: "M0,0 L8,4 L0,8 z", fill: "var(--accent)" }, head);
    }
  }
  document.querySelectorAll(".film").forEach((root) => { root.film = new Film(root); });
})();
