// Steps found by node, rule, kind of message or text.
const LISTED = 30;

class Search {
  constructor(film) {
    this.film = film;
    this.fields = Object.fromEntries(["by-node", "by-rule", "by-kind", "by-text"].map((name) => [name, film.one(name)]));
    this.count = film.one("hits");
    this.list = film.one("hit-list");
    const all = { "by-node": new Set(), "by-rule": new Set(), "by-kind": new Set() };
    for (const shot of film.data.shots) {
      all["by-node"].add(shot.node);
      for (const [rule] of shot.rules || []) all["by-rule"].add(rule);
      for (const kind of kindsOf(shot)) all["by-kind"].add(kind);
    }
    for (const [name, values] of Object.entries(all)) for (const each of [...values].sort(inOrder)) element("option", "", each, this.fields[name]).value = `=${each}`;
    for (const field of Object.values(this.fields)) for (const event of ["input", "change"]) field.addEventListener(event, () => this.search());
    film.one("previous-hit").addEventListener("click", () => this.next(-1));
    film.one("next-hit").addEventListener("click", () => this.next(1));
    this.hits = null;
    this.search();
  }
  search() {
    const [node, rule, kind] = ["by-node", "by-rule", "by-kind"].map((name) => this.fields[name].value), text = this.fields["by-text"].value.toLowerCase();
    const fits = (shot) => (!node || node === `=${shot.node}`)
      && (!rule || (shot.rules || []).some(([name]) => rule === `=${name}`))
      && (!kind || kindsOf(shot).some((each) => kind === `=${each}`))
      && (!text || this.text(shot).includes(text));
    this.hits = node || rule || kind || text ? this.film.data.shots.flatMap((shot, place) => (fits(shot) ? [this.film.first + place + 1] : [])) : null;
    this.drawHits();
  }
  text(shot) {
    return [shot.node, this.film.input(shot), ...(shot.rules || []).flat(), ...(shot.sent || []).map((each) => `${each[2]} ${each[4]}`), ...Object.entries(shot.changed || {}).flat(), ...(shot.delivered || [])].join(" ").toLowerCase();
  }
  draw() { if (this.hits) this.drawHits(); }
  drawHits() {
    const { film, hits } = this;
    this.list.replaceChildren();
    for (const name of ["previous-hit", "next-hit"]) film.one(name).disabled = !hits || !hits.length;
    this.count.textContent = hits ? `${said(hits.length)} of ${said(film.data.shots.length)} steps` : "";
    if (!hits) return;
    const near = hits.findIndex((step) => step >= film.step), middle = near < 0 ? hits.length : near;
    const from = Math.max(0, Math.min(middle - LISTED / 2, hits.length - LISTED));
    for (const step of hits.slice(from, from + LISTED)) {
      const shot = film.shot(step), rule = shot.rules && shot.rules[0] ? shot.rules[0][0] : "", item = element("li", "", undefined, this.list);
      const link = element("a", "", `${said(step)}: ${[shot.node, shot.kind, rule].filter(Boolean).join(", ")}`, item);
      link.href = addressOf(film, step);
      if (step === film.step) link.setAttribute("aria-current", "step");
    }
  }
  next(by) {
    const found = by > 0 ? this.hits.find((step) => step > this.film.step) : this.hits.findLast((step) => step < this.film.step);
    if (found !== undefined) this.film.jump(found);
  }
}

const kindsOf = (shot) => [shot.kind, ...(shot.sent || []).map((each) => each[3])].filter(Boolean);
const inOrder = (one, other) => one.localeCompare(other, "en", { numeric: true });
