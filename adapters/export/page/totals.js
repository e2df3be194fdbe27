// What a throw comes to where that takes adding up and no rule of a game: the roll itself says which dice and steps.
// Here: a roll -> its total, or null where only the rules say it. Never: a success, an outcome, a pool.

const SUM = /^(?:\d+#)?([+-]?(?:\d*d\d+|\d+)(?:[+-](?:\d*d\d+|\d+))*)$/;
const TERM = /([+-]?)(?:(\d*)d\d+|(\d+))/g;

const added = (numbers) => numbers.reduce((sum, number) => sum + number, 0);
const facesOf = (dice) => dice.flatMap((die) => die.faces);

// An expression without kept dice, Aces, parentheses; a die with a trait; damage; a move of two dice or the two kept.
function totalOf(roll) {
  if (roll.kind === "roll") return sumOf(roll.label.replace(/\s/g, "").toLowerCase(), facesOf(roll.dice));
  if (roll.kind === "move") return added(keptOf(roll)) + roll.modifier;
  if (roll.kind === "damage") return added(facesOf(roll.dice)) + roll.modifier;
  if (!roll.dice.some((die) => die.role === "trait")) return null;
  const thrown = roll.dice.filter((die) => die.role === "trait" || die.role === "wild");
  return Math.max(...thrown.map((die) => added(die.faces))) + roll.modifier;
}

// Of the faces as many as each term has dice, in their order.
function sumOf(label, faces) {
  const [, sum] = SUM.exec(label) ?? [];
  if (!sum) return null;
  let from = 0;
  const terms = [...sum.matchAll(TERM)].map(([, sign, dice, number]) => {
    const value = number === undefined ? added(faces.slice(from, (from += Number(dice || 1)))) : Number(number);
    return sign === "-" ? -value : value;
  });
  return added(terms);
}

function keptOf(roll) {
  const faces = facesOf(roll.dice).sort((one, other) => one - other);
  return roll.advantage === "dis" ? faces.slice(0, 2) : faces.slice(-2);
}

// Null: it needs the rules. A reroll's total may be the one before it, so only what it threw is added up.
function addsUp(roll) {
  const due = totalOf(roll);
  if (due === null) return null;
  return roll.rolled_total === due && (roll.reroll_of !== null || roll.total === due);
}
