// States before and after a step: of one node in full, and of all nodes as a table with a column for each variable.
const SAME = "–";

class States {
  constructor(film) {
    this.film = film;
    this.choice = film.one("node-choice");
    this.body = film.one("variables");
    this.all = film.one("everyone");
    this.grid = film.one("grid");
    for (const node of film.data.nodes) element("option", "", node, this.choice).value = `=${node}`;
    this.choice.addEventListener("change", () => this.drawOne(film.shot(film.step)));
    this.all.addEventListener("toggle", () => this.drawAll(film.shot(film.step)));
    film.choose = (node) => { this.choice.value = `=${node}`; this.drawOne(film.shot(film.step)); };
  }
  draw(shot) {
    this.drawOne(shot);
    this.drawAll(shot);
  }
  drawOne(shot) {
    const acting = shot ? shot.node : this.film.data.nodes[0], node = this.choice.value ? this.choice.value.slice(1) : acting;
    const after = this.film.scene.states[node] || {}, before = (shot && shot.node === node && this.film.before) || after;
    this.choice.options[0].textContent = shot ? `the node of this step, ${acting}` : `the first node, ${acting}`;
    this.body.replaceChildren();
    for (const name of new Set([...Object.keys(before), ...Object.keys(after)])) {
      const row = element("tr", before[name] === after[name] ? "" : "changed", undefined, this.body), head = element("th", "mono", undefined, row);
      head.scope = "row";
      if (before[name] !== after[name]) element("span", "sign", "≠ ", head).title = "changed by this step";
      head.append(name);
      value(before[name], after[name], element("td", "mono", undefined, row));
      value(after[name], before[name], element("td", "mono", undefined, row));
    }
  }
  drawAll(shot) {
    if (!this.all.open) return;
    const { states } = this.film.scene, names = [...new Set(Object.values(states).flatMap((each) => Object.keys(each)))];
    this.grid.replaceChildren();
    const head = element("tr", "", undefined, element("thead", "", undefined, this.grid)), body = element("tbody", "", undefined, this.grid);
    for (const name of ["node", ...names]) element("th", "", name, head).scope = "col";
    for (const [node, variables] of Object.entries(states)) {
      const row = element("tr", shot && shot.node === node ? "acting" : "", undefined, body);
      element("th", "", node, row).scope = "row";
      for (const name of names) {
        const before = shot && shot.node === node && this.film.before ? this.film.before[name] : variables[name];
        const cell = element("td", before === variables[name] ? "mono" : "mono changed", undefined, row);
        if (before !== variables[name]) element("span", "sign", "≠ ", cell).title = `before: ${before === undefined ? SAME : before}`;
        cell.append(variables[name] === undefined ? SAME : variables[name]);
      }
    }
  }
}

// A value. Of two lists, the items that only this one has are marked.
function value(text, other, cell) {
  const mine = listed(text), theirs = text === other ? null : listed(other);
  if (!mine || !theirs) { cell.textContent = text === undefined ? SAME : text; return; }
  const left = theirs.map((each) => JSON.stringify(each));
  if (!mine.length) cell.textContent = "[]";
  for (const each of mine) {
    const item = JSON.stringify(each), place = left.indexOf(item);
    if (place >= 0) left.splice(place, 1);
    element(place >= 0 ? "div" : "mark", "item", item, cell);
  }
}

function listed(text) {
  try { const found = JSON.parse(text); return Array.isArray(found) ? found : null; } catch { return null; }
}
