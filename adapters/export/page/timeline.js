// The timeline: one step is the present one; beside it stands the table as it was then.
// Here: moving from step to step, by hand, by key, by clock. Never: what the table was (the steps say it).

const LONGEST_WAIT_MS = 2000; // between two steps, as in a replay in the terminal
const WRITING = "input:not([type=checkbox]), select, textarea, [role=tablist]";
const SHAPES = { play: "M7 4v16l13-8z", pause: "M6 4h4v16h-4zM14 4h4v16h-4z" };
const PRESSED_BY_SPACE = "button, a, summary, input, select, textarea";

// To a step; nowhere else than to one that is shown, the nearest in this direction.
function goTo(place, direction = -1, scroll = true) {
  const found = nearest(place, direction) ?? nearest(place, -direction);
  if (found === null) return tellPosition(null);
  const before = page.at;
  page.acts[before]?.removeAttribute("aria-current");
  page.at = found;
  const act = actAt(found);
  act.setAttribute("aria-current", "step");
  if (page.hidesLater) hideLater(before, found);
  if (scroll && !by("view-transcript").hidden) act.scrollIntoView({ block: "nearest" });
  drawBoard();
  tellPosition(found);
}

function nearest(place, direction) {
  for (let at = Math.min(Math.max(place, 0), page.steps.length - 1); page.steps[at]; at += direction) {
    if (isShown(at)) return at;
  }
  return null;
}

function tellPosition(place) {
  const step = page.steps[place];
  const facts = { place: place + 1, all: page.steps.length, seq: step?.seq, name: step?.name };
  const text = step ? say("step", facts) : say("no_step");
  by("position").textContent = text;
  by("slider").max = Math.max(0, page.steps.length - 1);
  by("slider").value = place ?? 0;
  by("slider").setAttribute("aria-valuetext", text);
}

function hideLater(from, to) {
  const [low, high] = [Math.min(from, to), Math.max(from, to)];
  for (let at = low; at <= high; at++) page.acts[at]?.classList.toggle("later", at > to);
}

function toggleLater() {
  page.hidesLater = !page.hidesLater;
  by("later").setAttribute("aria-pressed", String(page.hidesLater));
  page.acts.forEach((act, at) => act.classList.toggle("later", page.hidesLater && at > page.at));
}

// ---- the clock

function isPlaying() {
  return page.clock !== undefined;
}

function play() {
  if (nearest(page.at + 1, 1) === page.at || page.at >= page.steps.length - 1) goTo(0, 1);
  page.clock = setTimeout(advance, waitMs());
  drawPlay();
}

// As long as they waited then, at this speed.
function waitMs() {
  const [now, next] = [page.at, nearest(page.at + 1, 1)].map((place) => Date.parse(page.steps[place]?.at));
  const gap = next - now || 0; // a time that is none: only in a log that others wrote
  return Math.min(LONGEST_WAIT_MS, Math.max(0, gap) / Number(by("speed").value));
}

function pause() {
  clearTimeout(page.clock);
  delete page.clock;
  drawPlay();
}

function advance() {
  const before = page.at;
  goTo(before + 1, 1);
  if (page.at <= before || nearest(page.at + 1, 1) === page.at) return pause();
  page.clock = setTimeout(advance, waitMs());
}

function drawPlay() {
  const key = isPlaying() ? "pause" : "play";
  by("play").dataset.name = key;
  by("play").setAttribute("aria-label", say(key));
  by("play").querySelector("path").setAttribute("d", SHAPES[key]);
}

// ---- hands

const MOVES = {
  first: () => goTo(0, 1),
  back: () => goTo(page.at - 1, -1),
  play: () => (isPlaying() ? pause() : play()),
  forward: () => goTo(page.at + 1, 1),
  last: () => goTo(page.steps.length - 1, -1),
};
const KEYS = { ArrowLeft: "back", ArrowRight: "forward", Home: "first", End: "last", " ": "play" };

function onKey(event) {
  const move = KEYS[event.key];
  const elsewhere = event.ctrlKey || event.altKey || event.metaKey || by("view-transcript").hidden;
  if (!move || elsewhere || event.target.closest(event.key === " " ? PRESSED_BY_SPACE : WRITING)) return;
  event.preventDefault();
  MOVES[move]();
}

function wireTimeline() {
  for (const [id, move] of Object.entries(MOVES)) by(id).addEventListener("click", move);
  by("slider").addEventListener("input", (event) => goTo(Number(event.target.value)));
  by("later").addEventListener("click", toggleLater);
  by("speed").addEventListener("change", () => isPlaying() && (pause(), play()));
  by("transcript").addEventListener("click", ({ target }) => {
    if (target.matches(".seq")) goTo(Number(target.dataset.place), -1, false);
  });
  document.addEventListener("keydown", onKey);
}

// ---- the table beside it

function boardAt(place) {
  const parts = {};
  for (let at = 0; at <= place; at++) Object.assign(parts, page.steps[at].board);
  return Object.entries(parts).filter(([, pair]) => pair);
}

// Where play is first, then people, then the rest.
function rank([key]) {
  return key === "where" ? 0 : key.startsWith("sheet:") ? 2 : 1;
}

function drawBoard() {
  const parts = boardAt(page.at).sort((one, other) => rank(one) - rank(other));
  const changed = page.steps[page.at].board ?? {};
  const drawn = parts.map(([key, pair]) => partOf(key, pair, key in changed));
  by("parts").replaceChildren(...(drawn.length ? drawn : [el("p", {}, say("board_empty"))]));
}

function partOf(key, pair, changed) {
  const lines = told(pair).split("\n").map(plain);
  const known = page.facts.words[`part_${key}`];
  const title = key.startsWith("sheet:") ? lines.shift() : known ? say(`part_${key}`) : plain(key);
  const mark = changed ? el("span", { class: "mark" }, say("changed")) : null;
  const text = lines.map((line) => el("p", { dir: "auto" }, line));
  return el("section", { class: changed ? "part changed" : "part" }, el("h3", { dir: "auto" }, title, " ", mark), text);
}
