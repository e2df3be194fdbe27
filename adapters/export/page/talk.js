// What was said: whether each text is the one of its digest, and whether the transcript shows these texts.
// Here: events and steps in, counts and the first false line out. Never: a sentence, the document.

const TALK = ["LineSpoken", "LineEdited", "LineDeleted"]; // which is no act
const DIGESTED = { LineSpoken: 2, LineEdited: 1 }; // type -> the first version whose text is not in what is hashed

function isDigested({ type, v, data }) {
  return v >= DIGESTED[type] && typeof data?.digest === "string" && data.digest !== "";
}

// The bytes that are hashed: without text and salt, where these stand in the very bytes in which an export writes them.
function withoutText(body, { prev, data: { text, salt } }) {
  if (!isText(text) || !isText(salt) || !salt) return body;
  const behind = `},"prev":${JSON.stringify(prev)}}`;
  const carried = encoded(`,"text":${JSON.stringify(text)},"salt":${JSON.stringify(salt)}${behind}`);
  const from = body.length - carried.length;
  return carried.every((byte, at) => byte === body[from + at]) ? joined(body.slice(0, from), encoded(behind)) : body;
}

// A string without half a surrogate pair.
function isText(found) {
  return typeof found === "string" && !/\p{Cs}/u.test(found);
}

async function isItsText({ text, salt = "", digest }) {
  const bytes = isText(salt) ? unhex(salt) : null;
  if (!bytes || hex(bytes) !== salt || !isText(text)) return false;
  return hex(await sha256(joined(bytes, encoded(text)))) === digest;
}

// The talk of a record, as its events come by. `history`: lines stand as they were said first, with all changes.
// `part`: a line without its text may have been changed in what is not here.
class Talk {
  constructor({ history, part }) {
    Object.assign(this, { history, part, acts: [], lines: new Map() });
  }

  hear({ seq, cause, type, data }) {
    if (type === "LineSpoken") this.say({ seq, cause, data, now: data });
    const line = this.lines.get(data.line);
    if (this.history || !line?.now) return;
    if (type === "LineDeleted") line.now = null;
    if (type === "LineEdited") line.now = { ...line.data, ooc: data.ooc, text: data.text };
  }

  // What came with one message is one act.
  say(line) {
    this.lines.set(line.seq, line);
    const last = this.acts.at(-1)?.at(-1);
    if (last?.cause === line.cause && last.seq === line.seq - 1) this.acts.at(-1).push(line);
    else this.acts.push([line]);
  }

  // The first event whose words the steps do not show as they are, or show though nobody said them; or null.
  firstFalse(steps) {
    const shown = new Map(steps.filter(isTalk).map((step) => [step.seq, step]));
    const acts = this.acts.map((act) => act.filter((line) => line.now)).filter((act) => act.length);
    const known = acts.filter((act) => !this.part || act.every((line) => typeof line.now.text === "string"));
    const wrong = known.filter((act) => !isShownAs(act, shown.get(act[0].seq))).map(([line]) => line.seq);
    const said = new Set(acts.map(([line]) => line.seq));
    const invented = [...shown.keys()].filter((seq) => !said.has(seq));
    return [...wrong, ...invented].sort((one, other) => one - other)[0] ?? null;
  }
}

function isTalk({ kind }) {
  return kind === "talk" || kind === "aside";
}

function isShownAs(act, step) {
  if (!step) return false;
  const { ooc, character } = act[0].now;
  const inPlace = step.kind === (ooc ? "aside" : "talk") && (!character || plain(step.name) === plain(character));
  const told = [step.zh, step.en ?? step.zh].map((lines) => (lines ?? []).map(plain).join("\n"));
  return inPlace && told.every((lines, speech) => lines === act.map((line) => wordsOf(line.now, speech)).join("\n"));
}

// `speech`: 0 is Chinese, 1 English.
function wordsOf({ text, source, roll }, speech) {
  const { gone, foreign } = page.facts.talk;
  const words = typeof text === "string" ? text : gone[speech];
  const whole = source === "foreign" && roll === true ? foreign[speech].replace("{text}", () => words) : words;
  return whole.split("\n").map(plain).join("\n");
}
