// The current step: its node, input and rules, the expected values of a violation, and the chosen message.
class StepPanel {
  constructor(film) {
    this.film = film;
    this.told = film.one("told");
    this.events = film.one("events");
    this.judged = film.one("judged");
    this.message = film.one("chosen-message");
    film.showMessage = (id) => this.showMessage(film.messages.get(id));
  }
  draw(shot) {
    this.drawJudged();
    this.events.replaceChildren();
    this.showMessage(shot ? this.film.messages.get(shot.took) : null);
    if (!shot) {
      this.told.textContent = this.film.first ? `After step ${said(this.film.first)}, the last one that is not shown.` : "Before the first step.";
      return;
    }
    const rules = (shot.rules || []).map(([name, source]) => `${name} [${source}]`).join(", ");
    this.told.textContent = `${shot.node} took ${this.film.input(shot)}${rules ? ` — rule ${rules}` : ""}`;
    for (const [id, , to, kind] of shot.sent || []) {
      const line = element("li", "", `sent to ${to}: `, this.events);
      button(`${kind}, message ${id}`, () => this.film.showMessage(id), line);
    }
    for (const each of shot.delivered || []) element("li", "", `delivered to the application: ${each}`, this.events);
  }
  // The judge's violations of this step, as listed above the film.
  drawJudged() {
    const violations = this.film.root.parentElement.querySelectorAll(`.violations [data-step="${this.film.step}"][data-film="${this.film.number}"]`);
    this.judged.replaceChildren(...[...violations].map((each) => each.cloneNode(true)));
  }
  showMessage(message) {
    this.message.replaceChildren();
    this.message.hidden = !message;
    if (!message) return;
    element("p", "", `Message ${message.id}`, this.message);
    const facts = element("dl", "", undefined, this.message);
    const fact = (name, ...content) => { element("dt", "", name, facts); element("dd", "", undefined, facts).append(...content); };
    fact("kind", message.kind);
    fact("from", message.from || "in flight at the start");
    fact("to", message.to);
    fact("sent", message.sent < 0 ? "before the steps that are shown" : this.link(message.sent));
    fact("taken", message.taken === Infinity ? "not in the steps that are shown" : this.link(message.taken));
    const text = element("pre", "", indented(message.says), this.message);
    for (const [name, says] of [["tabindex", 0], ["role", "group"], ["aria-label", "the message"]]) text.setAttribute(name, says);
  }
  link(step) {
    const made = element("a", "", `step ${said(step)}`);
    made.href = addressOf(this.film, step);
    return made;
  }
}

function indented(text) {
  try { return JSON.stringify(JSON.parse(text), null, 2); } catch { return text; }
}
