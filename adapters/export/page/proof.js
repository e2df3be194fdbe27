// The proof: a verdict in words, what it proves and what not, and the record to take away.
// Here: pressing the button, and telling. Never: the verifying (verify.js).

const NOTED = /^\D*?(\d{1,15})\s*[:：]\s*([0-9a-fA-F]{8,64})\D*$/;

// The head that somebody copied from the chat; null: none was. Throws what it is if it is none.
function notedHead() {
  const typed = by("noted").value.trim();
  if (!typed) return null;
  const found = NOTED.exec(typed);
  if (!found || !Number(found[1])) throw new RangeError(typed);
  return { seq: Number(found[1]), hash: found[2].toLowerCase() };
}

async function runProof() {
  by("noted-wrong").textContent = "";
  let noted;
  try {
    noted = notedHead();
  } catch {
    by("noted-wrong").textContent = say("noted_wrong");
    return;
  }
  if (!(await recordRead())) return;
  by("run").disabled = true;
  const { facts, lines } = page;
  const talk = new Talk(facts);
  const hear = (event) => talk.hear(event);
  const verdict = await verify(lines, { noted, part: facts.part, types: facts.types, progress: drawProgress, hear });
  by("run").disabled = false;
  by("progress").hidden = true;
  page.verdict = { ...shown(verdict, talk), noted: noted !== null };
  drawVerdict();
}

// The verdict, unless the record holds and the transcript shows other words than are in it.
function shown(verdict, talk) {
  const seq = verdict.broken ? null : talk.firstFalse(page.steps);
  return seq === null ? verdict : { ...verdict, broken: { seq, why: "shown_differs" } };
}

function drawProgress(done) {
  Object.assign(by("progress"), { hidden: false, value: done, max: page.lines.length });
}

function drawBadge() {
  const { verdict } = page;
  const state = verdict ? (verdict.broken ? "bad" : "good") : "unchecked";
  by("badge").dataset.state = state;
  by("badge").textContent = say(state, verdict?.broken ?? {});
}

function drawVerdict() {
  const { verdict } = page;
  drawBadge();
  if (!verdict) return;
  const state = verdict.broken ? "bad" : "good";
  const head = el("p", { class: `verdict ${state}` }, say(state, verdict.broken ?? {}));
  by("verdict").replaceChildren(head, ...(verdict.broken ? brokenTold(verdict) : holdsTold(verdict)));
}

function brokenTold({ broken, events }) {
  const why = say(broken.why, {}, { ...page.facts.words, ...page.facts.why });
  const place = page.steps.findLastIndex((step) => step.seq <= broken.seq);
  const show = el("button", { type: "button" }, say("see", { seq: broken.seq }));
  show.addEventListener("click", () => {
    choose("transcript");
    goTo(place);
  });
  const reason = el("p", {}, say("broken_why", { seq: broken.seq, why }));
  const far = broken.why === "shown_differs" ? "only_shown" : "stopped";
  return [reason, el("p", {}, say(far, { events })), place < 0 ? "" : show];
}

function holdsTold(verdict) {
  return [
    el("h3", {}, say("proved")), listOf(provedBy(verdict)),
    el("h3", {}, say("not_proved")), listOf(notProvedBy(verdict)),
    el("p", { class: "aside" }, say(subtle ? "by_subtle" : "by_own")),
  ];
}

function listOf(sentences) {
  return el("ul", {}, sentences.map((sentence) => el("li", {}, sentence)));
}

function provedBy(verdict) {
  const { head, events, dice, cards, proved } = verdict;
  const facts = { events, dice, cards, periods: spans(proved), head: `${head.seq}:${head.hash.slice(0, 16)}` };
  return [
    say(verdict.sealed ? "chain_sealed" : "chain", facts),
    verdict.noted && say("noted_good"),
    say(proved.length ? "again" : "nothing_again", facts),
    verdict.totals && say("totals", verdict),
    verdict.texts && say("texts", verdict),
  ].filter(Boolean);
}

function notProvedBy(verdict) {
  return [
    verdict.open !== null && verdict.waiting && say("waiting", verdict),
    verdict.lost.length && say("lost", { periods: spans(verdict.lost) }),
    verdict.physical && say("physical", verdict),
    verdict.foreign && say("foreign", verdict),
    verdict.unprovable && say("unprovable", verdict),
    verdict.sealed && say("sealed", verdict),
    !verdict.noted && say("no_head"),
    verdict.silent && say("silent", verdict),
    verdict.uncounted && say("uncounted", verdict),
    say("outcomes"), say("shown_too"), say("page_itself"),
  ].filter(Boolean);
}

// 1, 2, 3, 5 as `1-3, 5`.
function spans(numbers) {
  const found = [];
  for (const number of [...numbers].sort((one, other) => one - other)) {
    if (found.length && found.at(-1).at(-1) === number - 1) found.at(-1)[1] = number;
    else found.push([number]);
  }
  return found.map((span) => span.join("-")).join(", ");
}

async function saveRecord() {
  if (!(await recordRead())) return;
  const name = page.facts.title.replace(/[^\p{L}\p{N}]+/gu, "_") || "rollbook";
  const link = el("a", { href: URL.createObjectURL(new Blob([page.record])), download: `${name}.jsonl` });
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 60_000); // a slow disk may still be reading
}

function wireProof() {
  by("verify").addEventListener("submit", (event) => {
    event.preventDefault();
    runProof();
  });
  by("save").addEventListener("click", saveRecord);
  by("badge").addEventListener("click", () => {
    choose("proof");
    if (!page.verdict) runProof();
  });
}
