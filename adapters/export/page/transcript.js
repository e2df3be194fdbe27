// The transcript: an article an act, which of them are shown, and what is behind a roll.
// Here: steps -> elements, in batches, those in sight first. Never: where the timeline stands.

const COLOURS = 10;
const BATCH = 60; // acts that are made, and laid out once they come into view, together
const AT_MOST_MS = 40; // that nothing is answered while acts are made

function drawTranscript() {
  page.acts = [];
  page.colours = coloursOf(page.steps);
  page.batches = Array.from({ length: Math.ceil(page.steps.length / BATCH) }, () => el("div", { class: "batch" }));
  by("transcript").replaceChildren(...page.batches);
  if (page.batches.length) fillBatch(0);
}

function coloursOf(steps) {
  const colours = new Map();
  for (const { person } of steps) if (!colours.has(person)) colours.set(person, colours.size % COLOURS);
  return colours;
}

// The element of an act, made now if it was not yet.
function actAt(place) {
  if (!page.acts[place]) fillBatch(Math.floor(place / BATCH));
  return page.acts[place];
}

function fillBatch(number) {
  const from = number * BATCH;
  const steps = page.steps.slice(from, from + BATCH);
  page.batches[number].append(...steps.flatMap((step, n) => actOf(step, from + n)));
}

// An act, after a heading where a session begins.
function actOf(step, place) {
  const session = step.session ?? 0;
  const begins = place === 0 || (page.steps[place - 1].session ?? 0) !== session;
  const act = (page.acts[place] = article(step, place, page.colours.get(step.person)));
  act.classList.toggle("later", Boolean(page.hidesLater) && place > page.at);
  return begins ? [headingOf(session), act] : [act];
}

function fillAll() {
  for (const number of page.batches.keys()) actAt(number * BATCH);
}

// The same while the page is used: until it is done, what is further down is not found by a search.
async function fillByAndBy() {
  let since = performance.now();
  for (const number of page.batches.keys()) {
    if (performance.now() - since > AT_MOST_MS) {
      await breathe();
      since = performance.now();
    }
    actAt(number * BATCH);
  }
}

function headingOf(session) {
  return el("h2", { dir: "auto", "data-session": session }, headingText(session));
}

function headingText(session) {
  const title = page.facts.sessions[session];
  if (!session) return say("between");
  return title ? say("session_titled", { number: session, title }) : say("session", { number: session });
}

function article(step, place, colour) {
  const go = el("button", { type: "button", class: "seq", tabindex: -1, "data-place": place }, String(step.seq));
  const name = el("bdi", { class: `name c${colour}` }, plain(step.name));
  const time = el("time", { datetime: step.at }, step.at.slice(11, 19));
  const act = el("article", { "data-kind": step.kind, class: step.by ? "undone" : null }, go, name, time);
  fillArticle(act, step);
  return act;
}

// What depends on the language.
function fillArticle(act, step) {
  act.querySelector(".seq").setAttribute("aria-label", say("go_to", { seq: step.seq }));
  const open = act.querySelector("details")?.open;
  for (const old of act.querySelectorAll("p, details")) old.remove();
  const lines = (page.speech === "zh" ? step.zh : (step.en ?? step.zh)) ?? [];
  act.append(...lines.map((text) => el("p", { dir: "auto" }, plain(text))));
  if (step.by) act.append(el("p", { class: "aside" }, say("left_out", { by: step.by })));
  if (step.rolls) act.append(detailsOf(step, open));
}

function retellTranscript() {
  page.acts.forEach((act, place) => fillArticle(act, page.steps[place]));
  for (const heading of document.querySelectorAll("[data-session]")) {
    heading.textContent = headingText(Number(heading.dataset.session));
  }
}

// ---- which are shown

function isShown(place) {
  return !page.hidden.has(page.steps[place].kind);
}

function drawFilters() {
  const boxes = [...document.querySelectorAll("input[name=kind]")];
  page.hidden = new Set(boxes.filter((box) => !box.checked).map((box) => box.value));
  by("transcript").dataset.hide = [...page.hidden].join(" ");
  tellShown();
}

function tellShown() {
  const shown = page.steps.filter((_, place) => isShown(place)).length;
  by("shown").textContent = say("shown", { shown, all: page.steps.length });
}

// ---- a roll

// Filled when it is opened first: most rolls never are.
function detailsOf(step, open) {
  const details = el("details", { open: open ?? false }, el("summary", {}, say("details")));
  const fill = async () => {
    if (!details.open || !(await recordRead()) || details.children.length > 1) return;
    details.append(...step.rolls.map(rollOf));
  };
  details.addEventListener("toggle", fill);
  fill();
  return details;
}

function rollOf(roll) {
  const event = eventAt(roll.seq)?.data;
  if (!event) return el("dl");
  return el("dl", {}, rowsOf(roll, event).filter(([, value]) => hasValue(value)).map(([key, value]) => rowOf(key, value)));
}

function hasValue(value) {
  return value !== null && value !== undefined && value !== "" && !(Array.isArray(value) && !value.length);
}

function rowOf(key, value) {
  const cells = (Array.isArray(value) ? value : [value]).map((one) => el("dd", { dir: "auto" }, one));
  return el("div", {}, el("dt", {}, say(key)), cells);
}

function rowsOf(roll, event) {
  return [
    ["dice", event.dice.map(dieOf)],
    ["modifiers", (roll.modifiers ?? []).map((pair) => plain(told(pair)))],
    ["against", plain(event.against)],
    ["target", plain(event.target)],
    ["results", event.results.length > 1 ? event.results.join(" · ") : null],
    ["successes", plain(event.successes)],
    ["extra", event.extra ? plain(event.extra) : null],
    ["total", plain(event.total)],
    ["outcome", roll.outcome ? plain(told(roll.outcome)) : null],
    ["raises", event.raises ? plain(event.raises) : null],
    ["reroll_of", plain(event.reroll_of)],
    ["comment", plain(event.comment)],
    ["rules", (roll.rules ?? []).map((id) => `${id} ${told(page.facts.rules[id] ?? ["", ""])}`)],
    ["proof_of", numbersOf(event)],
  ];
}

function dieOf(die) {
  const role = page.facts.words[`role_${die.role}`] ? say(`role_${die.role}`) : plain(die.role);
  const faces = die.faces.map((face) => el("span", { class: face === die.sides ? "face top" : "face" }, String(face)));
  return el("span", { class: "dice" }, `${role} d${die.sides} `, faces);
}

function numbersOf({ source, period, first, next }) {
  if (source === "physical") return say("by_hand");
  return first === next ? null : say("numbers", { period, first, last: next - 1 });
}
