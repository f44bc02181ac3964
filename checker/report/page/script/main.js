// Controls, and the conjuncts over time.
class Controls {
  constructor(film) {
    this.film = film;
    this.slider = film.one("slider");
    this.where = film.one("where");
    this.slider.min = film.first;
    this.slider.max = film.last;
    const marks = film.root.dataset, jumps = { back: () => film.step - 1, next: () => film.step + 1, violation: () => Number(marks.violation), legitimate: () => Number(marks.legitimate) };
    for (const [name, target] of Object.entries(jumps)) {
      const pressed = film.root.querySelector(`.controls .${name}`);
      if (pressed) pressed.addEventListener("click", () => film.jump(target(), true));
    }
    film.one("play").addEventListener("click", () => film.toggle());
    this.slider.addEventListener("input", () => film.jump(Number(this.slider.value)));
    film.root.addEventListener("keydown", (event) => this.key(event));
  }
  key(event) {
    const { film } = this, marks = film.root.dataset, { target, key } = event;
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    if (["SELECT", "SUMMARY", "A"].includes(target.tagName) || (target.tagName === "INPUT" && target !== this.slider)) return;
    if (target === this.slider && !["v", "l", " "].includes(key) || target.tagName === "BUTTON" && [" ", "Enter"].includes(key)) return;
    const keys = { ArrowRight: film.step + 1, ArrowLeft: film.step - 1, PageDown: film.step + 10, PageUp: film.step - 10, Home: film.first, End: film.last };
    if (key === "v" && marks.violation) keys.v = Number(marks.violation);
    if (key === "l" && marks.legitimate) keys.l = Number(marks.legitimate);
    if (key !== " " && keys[key] === undefined) return;
    event.preventDefault();
    if (key === " ") film.toggle(); else film.jump(keys[key], true);
  }
  draw() {
    const { film } = this, faults = Object.values(film.scene.wrong).reduce((sum, each) => sum + each, 0);
    this.slider.value = film.step;
    this.slider.setAttribute("aria-valuetext", `step ${film.step}`);
    this.where.textContent = `step ${said(film.step)} of ${said(film.data.steps)}` + (faults ? `: ${faults} ${faults > 1 ? "conditions" : "condition"} violated` : ": legitimate");
  }
}

class Conjuncts {
  constructor(film) {
    this.film = film;
    this.rows = new Map();
    const spans = this.spans(), width = film.last - film.first + 1;
    for (const row of film.root.querySelectorAll(".conjuncts tr[data-name]")) {
      const strip = row.querySelector("svg");
      strip.setAttribute("viewBox", `0 0 ${width} 10`);
      for (const [from, to] of spans[row.dataset.name] || []) shape("rect", { x: from - film.first, y: 0, width: to - from, height: 10 }, strip);
      const cursor = shape("line", { y1: 0, y2: 10 }, strip);
      strip.addEventListener("click", (event) => {
        const box = strip.getBoundingClientRect();
        film.jump(film.first + Math.floor(((event.clientX - box.left) / box.width) * width));
      });
      this.rows.set(row.dataset.name, [row.querySelector(".truth"), cursor]);
    }
  }
  // For each conjunct, from which step to which it is false.
  spans() {
    const { data, first, last } = this.film, began = {}, spans = {}, wrong = { ...data.false };
    const note = (name, step) => {
      if (wrong[name] && began[name] === undefined) began[name] = step;
      if (!wrong[name] && began[name] !== undefined) { (spans[name] ||= []).push([began[name], step]); delete began[name]; }
    };
    Object.keys(data.conjuncts).forEach((name) => note(name, first));
    data.shots.forEach((shot, place) => { for (const [name, count] of Object.entries(shot.false || {})) { wrong[name] = count; note(name, first + place + 1); } });
    for (const name of Object.keys(began)) (spans[name] ||= []).push([began[name], last + 1]);
    return spans;
  }
  draw() {
    for (const [name, [truth, cursor]] of this.rows) {
      const count = this.film.scene.wrong[name] || 0, middle = this.film.step - this.film.first + 0.5;
      truth.textContent = count ? (count > 1 ? `✗ ×${count}` : "✗") : "✓";
      truth.className = "truth " + (count ? "f" : "t");
      truth.setAttribute("aria-label", count ? `violated ${count} times` : "holds");
      cursor.setAttribute("x1", middle);
      cursor.setAttribute("x2", middle);
    }
  }
}

const films = [...document.querySelectorAll(".film")].map((root, place) => {
  const film = new Film(root, place + 1);
  film.views = [Stage, Controls, Conjuncts, StepPanel, States, Sequence, Search].map((View) => new View(film));
  root.film = film;
  return film;
});
const address = new Address(films);
for (const film of films) film.go(Number(film.root.dataset.first) || 0, false);
address.follow(false);
address.ready = true;
