// A film: a first scene and the changes of each step. Going back starts from the nearest scene that was kept.
const KEPT = 200;

class Film {
  constructor(root, number) {
    this.root = root;
    this.number = number;
    this.data = JSON.parse(root.querySelector("script").textContent);
    this.first = this.data.before;
    this.last = this.first + this.data.shots.length;
    const { spots, lines, false: wrong, flying, states } = this.data;
    this.scene = { spots: { ...spots }, lines: { ...lines }, wrong: { ...wrong }, states: { ...states }, flying: new Map(flying.map((each) => [each[0], each])) };
    this.kept = new Map([[this.first, this.copy()]]);
    this.step = this.first;
    this.before = null;
    this.messages = this.everyMessage();
    this.views = [];
    this.playing = null;
  }
  one(name) { return this.root.querySelector("." + name); }
  shot(step) { return step > this.first && step <= this.last ? this.data.shots[step - this.first - 1] : null; }
  has(step) { return step >= this.first && step <= this.last; }
  copy() {
    const { spots, lines, wrong, states, flying } = this.scene;
    return { spots: { ...spots }, lines: { ...lines }, wrong: { ...wrong }, states: { ...states }, flying: new Map(flying) };
  }
  // Each message by its id. Infinity: it was not taken in the steps that are shown; -1: it was sent before them.
  everyMessage() {
    const all = new Map(this.data.flying.map(([id, from, to, kind, says]) => [id, { id, from, to, kind, says, sent: -1, taken: Infinity }]));
    this.data.shots.forEach((shot, place) => {
      const step = this.first + place + 1, taken = all.get(shot.took);
      if (taken) { taken.taken = step; taken.by = shot.node; }
      for (const [id, from, to, kind, says] of shot.sent || []) all.set(id, { id, from, to, kind, says, sent: step, taken: Infinity });
    });
    return all;
  }
  // Go to a step. Something moves on the way only if it is the next one.
  go(step, moving) {
    step = Math.max(this.first, Math.min(this.last, Math.trunc(step) || 0));
    const single = step === this.step + 1;
    if (step <= this.step && step > this.first || step === this.first) {
      const from = step === this.first ? step : this.first + Math.floor((step - 1 - this.first) / KEPT) * KEPT;
      this.scene = this.kept.get(from);
      this.scene = this.copy();
      this.step = from;
      this.before = null;
    }
    while (this.step < step) this.forward();
    this.root.dataset.step = this.step;
    for (const view of this.views) view.draw(this.shot(this.step), moving && single);
  }
  forward() {
    const shot = this.data.shots[this.step - this.first], scene = this.scene;
    Object.assign(scene.spots, shot.spots);
    Object.assign(scene.lines, shot.lines);
    Object.assign(scene.wrong, shot.false);
    this.before = scene.states[shot.node] || null;
    if (this.before && shot.changed) {
      const after = { ...this.before };
      for (const [name, text] of Object.entries(shot.changed)) if (text === null) delete after[name]; else after[name] = text;
      scene.states[shot.node] = after;
    }
    if (shot.took !== undefined) scene.flying.delete(shot.took);
    for (const each of shot.sent || []) scene.flying.set(each[0], each);
    this.step += 1;
    if ((this.step - this.first) % KEPT === 0 && !this.kept.has(this.step)) this.kept.set(this.step, this.copy());
  }
  // The input of a step, as text.
  input(shot) {
    const taken = this.messages.get(shot.took);
    return shot.what || (taken ? `message ${taken.id}: ${taken.says}` : "");
  }
  toggle() {
    if (this.playing) return this.stop();
    if (this.step === this.last) this.go(this.first, false);
    this.one("play").textContent = "Pause";
    this.playing = setInterval(() => { if (this.step === this.last) this.stop(); else this.go(this.step + 1, true); }, 420);
  }
  stop() {
    clearInterval(this.playing);
    this.playing = null;
    this.one("play").textContent = "Play";
  }
  jump(step, moving = false) { this.stop(); this.go(step, moving); }
}

const said = (number) => number.toLocaleString("en");

function element(name, look, text, parent) {
  const made = document.createElement(name);
  if (look) made.className = look;
  if (text !== undefined) made.textContent = text;
  if (parent) parent.appendChild(made);
  return made;
}

function shape(name, attributes, parent) {
  const made = document.createElementNS("http://www.w3.org/2000/svg", name);
  for (const [key, value] of Object.entries(attributes)) made.setAttribute(key, value);
  if (parent) parent.appendChild(made);
  return made;
}

const button = (text, clicked, parent, look = "link") => {
  const made = element("button", look, text, parent);
  made.type = "button";
  made.addEventListener("click", clicked);
  return made;
};
