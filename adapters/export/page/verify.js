// What a record proves by itself: its chain, the seeds against what was promised, every die and card once more.
// The same verdict as core/verify.py gives (a test compares them), but that only simple totals are added up again.
// Here: the lines of an export in, a verdict out. Never: a sentence, the document.

const MAX_ACTS = 200; // that an undo can reach back over
const MOST_SIDES = 2 ** 64;
const NUMBERS = 2n ** 64n; // a draw is one of so many
const NO_HASH = "0".repeat(64);
const HASH_AT_END = /,"hash":"([0-9a-f]{64})"\}$/;
const END = 75; // bytes of it
const AT_ONCE = 200; // events looked at before the page may breathe
const RANKS = ["2", "3", "4", "5", "6", "7", "8", "9", "10", "J", "Q", "K", "A"];
const DECK = [...RANKS.flatMap((rank) => ["C", "D", "H", "S"].map((suit) => rank + suit)), "black_joker", "red_joker"];

const decoded = (bytes) => new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(bytes);
const encoded = (text) => new TextEncoder().encode(text);

class Flaw extends Error {
  constructor(seq, why) {
    super(`${seq} ${why}`);
    Object.assign(this, { seq, why });
  }
}

// `lines`: one Uint8Array an event. `noted`: {seq, hash}, a head told outside the record, or null. `part`: they may
// begin in the middle. `types`: the events that there are, name -> latest version. `progress`: told how many are done.
// `hear`: told each event that is shown.
async function verify(lines, { noted = null, part = false, types, progress = () => {}, hear = () => {} }) {
  const audit = new Audit(types, part && lines.length ? before(readLine(lines[0], 1)) : { seq: 0, hash: NO_HASH });
  try {
    let due = 1;
    for (const [done, line] of lines.entries()) {
      const one = readLine(line, due);
      due = one.seq + 1;
      await audit.lookAt(one, noted);
      if (!one.sealed) hear(one.envelope);
      if (done % AT_ONCE) continue;
      progress(done);
      await breathe();
    }
    if (!lines.length) throw new Flaw(1, "seq_missing");
    audit.end(noted);
  } catch (flaw) {
    if (!(flaw instanceof Flaw)) throw flaw;
    return { ...audit.verdict(), broken: { seq: flaw.seq, why: flaw.why } };
  }
  return audit.verdict();
}

function breathe() {
  return new Promise((go) => setTimeout(go));
}

// ---- lines

// What stands in a line: an event's bytes and hash, or the place of one that is withheld. A line that is neither comes as
// an event whose hash does not hold, in the place that was `due`.
function readLine(line, due) {
  const found = parsed(line);
  if (found && isSealed(found)) return found;
  const tail = HASH_AT_END.exec(String.fromCharCode(...line.slice(-END)));
  if (!tail || !Number.isInteger(found?.seq) || typeof found.prev !== "string") return { seq: due, body: line, hash: "" };
  const whole = joined(line.slice(0, -END), encoded("}"));
  const body = isDigested(found) ? withoutText(whole, found) : whole;
  return { seq: found.seq, prev: found.prev, body, hash: tail[1], envelope: found };
}

function isSealed(one) {
  if (one.sealed !== true || Object.keys(one).sort().join() !== "hash,prev,sealed,seq,table") return false;
  return Number.isInteger(one.seq) && [one.table, one.prev, one.hash].every((text) => typeof text === "string");
}

function parsed(bytes) {
  try {
    const found = JSON.parse(decoded(bytes));
    return found !== null && typeof found === "object" && !Array.isArray(found) ? found : null;
  } catch {
    return null;
  }
}

function before(first) {
  return { seq: first.seq - 1, hash: first.prev ?? NO_HASH };
}

// ---- dice

class FairDice {
  static async of(seed, luck, table, period) {
    const key = await (await hmac(seed))(encoded(luck.map((text) => `${text}\n`).join("")));
    return new FairDice(await hmac(key), `rollbook-dice-1|${table}|${period}|`);
  }

  constructor(mac, head) {
    Object.assign(this, { mac, head, next: 0, number: -1, block: null });
  }

  // A place from 0, one of so many: as a die with so many sides.
  async pick(sides) {
    const many = BigInt(sides);
    const unbiased = (NUMBERS / many) * many;
    for (;;) {
      const number = await this.draw();
      if (number < unbiased) return Number(number % many);
    }
  }

  async draw() {
    const number = Math.floor(this.next / 4);
    if (number !== this.number) {
      this.block = new DataView((await this.mac(encoded(this.head + number))).buffer);
      this.number = number;
    }
    return this.block.getBigUint64(8 * (this.next++ % 4));
  }
}

// A seed period not yet revealed. `certain`: `k` is the next die number, not only the least it can be.
class Period {
  constructor(number, commitment) {
    Object.assign(this, { number, commitment, luck: [], throws: [], k: 0, certain: true });
  }

  // The numbers follow on the throw before: none left out, none used twice.
  take(thrown) {
    if (thrown.first < this.k) throw new Flaw(thrown.seq, "dice_reused");
    if (thrown.first > this.k && this.certain) throw new Flaw(thrown.seq, "dice_skipped");
    if (thrown.next < thrown.first + (thrown.draws?.length ?? 1)) throw new Flaw(thrown.seq, "numbers_differ");
    this.throws.push(thrown);
    Object.assign(this, { k: thrown.next, certain: true });
  }

  async prove(seed, table) {
    const dice = await FairDice.of(seed, this.luck, table, this.number);
    for (const thrown of this.throws) {
      dice.next = thrown.first;
      for (const [sides, place] of thrown.draws ?? []) {
        const due = await dice.pick(sides);
        if (due !== place) throw new Flaw(thrown.seq, thrown.card ? "card_differs" : "face_differs");
      }
      if (thrown.draws && dice.next !== thrown.next) throw new Flaw(thrown.seq, "numbers_differ");
    }
  }

  count(card) {
    return this.throws.filter((one) => one.card === card).reduce((sum, one) => sum + (one.draws?.length ?? 0), 0);
  }
}

// ---- the deck and the house rule, as the acts that still stand have left them

// Null: it is not known which cards are out, or whether physical dice are allowed.
const UNDOABLE = {
  CardDealt: (state, event) => ({ ...state, out: state.out && [...state.out, event.card] }),
  DeckShuffled: (state, event) => ({ ...state, out: event.held }),
  HouseRuleSet: (state, event) => (event.key === "physical-dice" ? { ...state, physical: event.value === "on" } : state),
};

class Standing {
  constructor(whole) {
    const state = whole ? { out: [], physical: false } : { out: null, physical: null };
    Object.assign(this, { state, whole, acts: [] });
  }

  // Events of one cause are one act.
  act({ seq, cause }) {
    const last = this.acts.at(-1);
    if (last?.cause === cause && last.last === seq - 1) last.last = seq;
    else this.acts.push({ first: seq, last: seq, cause, before: this.state, changes: [] });
    if (this.acts.length > MAX_ACTS) this.acts.shift();
  }

  // The card as one of those left; null where it is not known which were.
  draw(seq, card) {
    if (!this.state.out) return null;
    const left = DECK.filter((one) => !this.state.out.includes(one));
    if (!left.includes(card)) throw new Flaw(seq, "not_in_deck");
    return [[left.length, left.indexOf(card)]];
  }

  follow(type, event) {
    if (type === "Undone") return this.undo(event.event);
    this.acts.at(-1).changes.push([type, event]);
    this.state = UNDOABLE[type](this.state, event);
  }

  undo(first) {
    const place = this.acts.findIndex((act) => act.first === first);
    if (place < 0) {
      if (!this.whole) this.state = { ...this.state, physical: null };
      return;
    }
    this.acts[place].changes = [];
    this.state = this.acts[place].before;
    for (const act of this.acts.slice(place)) {
      act.before = this.state;
      for (const [type, event] of act.changes) this.state = UNDOABLE[type](this.state, event);
    }
  }
}

// ---- everything that is known up to one event

class Audit {
  constructor(types, start) {
    this.found = {
      table: "", head: start, events: 0, sealed: 0, unbound: 0, dice: 0, cards: 0, physical: 0, unprovable: 0, foreign: 0,
      proved: [], totals: 0, uncounted: 0, texts: 0, silent: 0,
    };
    this.whole = start.seq === 0;
    this.standing = new Standing(this.whole);
    Object.assign(this, { types, period: null, unrevealed: new Map(), commitments: new Set(), numbered: false });
  }

  async lookAt(one, noted) {
    await this.chained(one);
    if (noted?.seq === one.seq && !one.hash.startsWith(noted.hash)) throw new Flaw(one.seq, "head_differs");
    const head = { seq: one.seq, hash: one.hash };
    const envelope = one.sealed ? one : this.envelope(one);
    if (this.found.table && envelope.table !== this.found.table) throw new Flaw(one.seq, "other_table");
    this.found.table = envelope.table;
    if (one.sealed) this.withheld(one.seq);
    else await this.check(envelope);
    this.found.head = head;
    this.found.events += 1;
  }

  end(noted) {
    if (noted && noted.seq > this.found.head.seq) throw new Flaw(this.found.head.seq + 1, "cut_off");
  }

  verdict() {
    const current = this.period?.number;
    const still = this.unrevealed.get(current);
    const lost = [...this.unrevealed.keys()].filter((number) => number !== current);
    const waiting = still ? still.count(false) + still.count(true) : 0;
    return { ...this.found, open: still ? current : null, lost, waiting, broken: null };
  }

  async chained(one) {
    const { head } = this.found;
    const due = head.seq + 1;
    if (one.seq !== due) throw new Flaw(due, one.seq > due ? "seq_missing" : "seq_out_of_order");
    if (!one.sealed && hex(await sha256(one.body)) !== one.hash) throw new Flaw(one.seq, "hash_differs");
    if (one.prev !== head.hash) throw new Flaw(one.seq, "prev_differs");
  }

  envelope({ seq, envelope: found }) {
    const { data } = found;
    if (!(found.v >= 1 && found.v <= this.types[found.type])) throw new Flaw(seq, "unreadable");
    if (typeof found.table !== "string" || data === null || typeof data !== "object") throw new Flaw(seq, "unreadable");
    return found;
  }

  // Its dice, if any, are not shown, so the next throw may begin anywhere behind them.
  withheld(seq) {
    if (this.period) this.period.certain = false;
    this.found.sealed += 1;
    this.found.unbound = seq;
  }

  async check(envelope) {
    const { seq, type, data } = envelope;
    if ((seq === 1) !== (type === "TableOpened")) throw new Flaw(seq, seq === 1 ? "not_opened" : "opened_again");
    if (!TALK.includes(type)) this.standing.act(envelope);
    try {
      await this.LOOKS[type]?.call(this, seq, data, envelope);
    } catch (flaw) {
      throw flaw instanceof Flaw ? flaw : new Flaw(seq, "unreadable"); // a field that is not what it must be
    }
  }

  LOOKS = {
    TableOpened: this.opened,
    SessionStarted: this.opened,
    PeriodOpened: this.opened,
    SeedRevealed: this.revealed,
    LuckAdded: this.lucky,
    RollMade: this.rolled,
    CardDealt: this.dealt,
    LineSpoken: this.spoken,
    LineEdited: this.spoken,
    DeckShuffled: this.followed,
    HouseRuleSet: this.followed,
    Undone: this.followed,
  };

  followed(seq, event, { type }) {
    this.standing.follow(type, event);
  }

  // Every period has the next number and a promise of its own: a seed promised twice is known the second time.
  opened(seq, event) {
    const due = this.period ? this.period.number + 1 : 1;
    if (event.period !== due && (this.period || this.whole)) throw new Flaw(seq, "period_out_of_order");
    if (this.commitments.has(event.commitment)) throw new Flaw(seq, "seed_reused");
    this.commitments.add(event.commitment);
    this.period = new Period(event.period, event.commitment);
    this.unrevealed.set(event.period, this.period);
  }

  async revealed(seq, event) {
    const period = this.unrevealed.get(event.period);
    if (!period) {
      if (this.whole || this.period) throw new Flaw(seq, "seed_unasked");
      return; // promised before this copy begins
    }
    const seed = unhex(event.seed);
    if (!seed || hex(await sha256(seed)) !== period.commitment) throw new Flaw(seq, "seed_differs");
    this.unrevealed.delete(event.period);
    await period.prove(seed, this.found.table);
    this.found.dice += period.count(false);
    this.found.cards += period.count(true);
    this.found.proved.push(event.period);
  }

  lucky(seq, event) {
    const period = this.current(seq, event.period);
    if (!period) return;
    if (period.k || period.throws.length) throw new Flaw(seq, "luck_late");
    period.luck.push(event.text);
    period.certain = true; // so no sealed event before it has used a number
  }

  rolled(seq, event) {
    const draws = event.dice.flatMap((die) => drawsOf(seq, die));
    this.count(seq, addsUp(event));
    if (event.source === "physical") return this.byHand(seq, event);
    if (draws.length || event.first !== event.next) this.take(seq, event, draws, false);
  }

  count(seq, right) {
    if (right === false) throw new Flaw(seq, "total_differs");
    this.found[right ? "totals" : "uncounted"] += 1;
  }

  byHand(seq, event) {
    if (this.standing.state.physical === false) throw new Flaw(seq, "physical_not_allowed");
    if (event.period !== null || event.first !== null || event.next !== null) throw new Flaw(seq, "no_numbers");
    this.found.physical += 1;
  }

  dealt(seq, event, { v }) {
    const draws = this.standing.draw(seq, event.card);
    this.standing.follow("CardDealt", event);
    if (!draws || v === 1) this.found.unprovable += 1;
    if (v > 1) this.take(seq, event, draws, true);
    else if (this.numbered) throw new Flaw(seq, "no_numbers"); // older than all numbers
  }

  async spoken(seq, event, envelope) {
    if (event.source === "foreign" && event.roll === true) this.found.foreign += 1;
    if (!isDigested(envelope)) return; // its text is in what is hashed
    if (event.text === undefined) this.found.silent += 1;
    else if (await isItsText(event)) this.found.texts += 1;
    else throw new Flaw(seq, "text_differs");
  }

  take(seq, { period, first, next }, draws, card) {
    if (![period, first, next].every(Number.isInteger)) throw new Flaw(seq, "no_numbers");
    this.numbered = true;
    this.current(seq, period)?.take({ seq, first, next, draws, card });
  }

  // The open period, which must be this one; null before the first that this copy shows.
  current(seq, number) {
    if (!this.period && !this.whole) return null;
    if (this.period?.number !== number || !this.unrevealed.has(number)) throw new Flaw(seq, "wrong_period");
    return this.period;
  }
}

function drawsOf(seq, { sides, faces }) {
  const possible = sides >= 1 && sides <= MOST_SIDES && faces.every((face) => face >= 1 && face <= sides);
  if (!possible) throw new Flaw(seq, "impossible_face");
  return faces.map((face) => [sides, face - 1]);
}
