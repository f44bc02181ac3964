// The step in the address: #step=N, and #film=K&step=N where the page has several films.
const addressOf = (film, step) => (film.number > 1 ? `#film=${film.number}&step=${step}` : `#step=${step}`);

class Address {
  constructor(films) {
    this.films = films;
    this.later = null;
    window.addEventListener("hashchange", () => this.follow(true));
    for (const film of films) film.views.push({ draw: () => this.write(film) });
  }
  // Written once it stays: browsers refuse an address that changes often.
  write(film) {
    clearTimeout(this.later);
    if (!this.ready) return;
    film.one("note").textContent = "";
    this.later = setTimeout(() => { if (window.location.hash !== addressOf(film, film.step)) window.history.replaceState(null, "", addressOf(film, film.step)); }, 250);
  }
  // Whether the address names a step of a film; then that film is there.
  follow(moved) {
    const { hash } = window.location, found = /^#(?:film=(\d{1,6})&)?step=(\d{1,15})$/.exec(hash);
    if (!found) {
      if (hash.includes("step")) this.note(this.films[0], `The address ${hash} names no step: write #step=12, for example.`);
      return false;
    }
    const film = this.films[Number(found[1] || 1) - 1], step = Number(found[2]);
    if (!film) { this.note(this.films[0], `There is no film ${found[1]} on this page.`); return false; }
    clearTimeout(this.later);
    film.stop();
    this.ready = false;
    film.go(step, false);
    this.ready = true;
    this.note(film, film.has(step) ? "" : `Step ${said(step)} is not among those that are shown, ${said(film.first)} to ${said(film.last)}. ${step > film.data.steps ? "The trace ends before it." : `This makes a page with it: ${film.root.dataset.reproduce} ${step}`}`);
    if (moved || film.number > 1) film.root.scrollIntoView({ block: "start" });
    return true;
  }
  note(film, text) { film.one("note").textContent = text; }
}
