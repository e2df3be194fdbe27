// The figures: how faces fell against what is expected, Bennies over time, how everybody's rolls came out.
// Here: numbers -> drawings, each with its numbers in a table. Never: counting rolls (core/stats.py has).

const WIDE = 400, HIGH = 180, LEFT = 34, RIGHT = 8, TOP = 10, BOTTOM = 24;
const MOST_LABELS = 20; // under an axis
const MOST_PURSES = 8;

// Drawn when they are first looked at.
function showFigures() {
  if (!page.figured) drawFigures();
  page.figured = true;
}

function drawFigures() {
  const { figures } = page.facts;
  const hidden = figures.hidden ? el("p", {}, say("hidden", { count: figures.hidden })) : null;
  const purses = pursesOf(page.steps);
  const drawn = [
    ...figure("faces", figures.faces.map(facesPlot)),
    ...figure("bennies", purses.length ? [benniesPlot(purses)] : []),
    ...figure("people", figures.people.length ? [peoplePlot(figures.people)] : []),
  ];
  by("view-figures").replaceChildren(...(drawn.length ? drawn : [el("p", {}, say("no_figures"))]), hidden ?? "");
}

function figure(key, plots) {
  return plots.length ? [el("h2", {}, say(key)), el("div", { class: "plots" }, plots)] : [];
}

// A drawing with its caption, and the same in numbers.
function plotOf(caption, drawing, heads, rows) {
  const head = el("tr", {}, heads.map((text) => el("th", { scope: "col" }, text)));
  const body = rows.map(([first, ...rest]) =>
    el("tr", {}, el("th", { scope: "row" }, first), rest.map((text) => el("td", {}, String(text)))));
  const table = el("table", {}, el("caption", { class: "unseen" }, caption), el("thead", {}, head), el("tbody", {}, body));
  const scrolled = el("div", { class: "scrolled", tabindex: 0, role: "region", "aria-label": caption }, table);
  const numbers = el("details", {}, el("summary", {}, say("as_table")), scrolled);
  return el("figure", {}, el("figcaption", { dir: "auto" }, caption), drawing, numbers);
}

function canvas(label, high = HIGH) {
  return svg("svg", { viewBox: `0 0 ${WIDE} ${high}`, role: "img", "aria-label": label });
}

function text(x, y, content, anchor = "middle") {
  return svg("text", { x, y, "text-anchor": anchor }, content);
}

// Height of a value on the axis from 0 to `most`.
function up(value, most) {
  return HIGH - BOTTOM - (value / most) * (HIGH - TOP - BOTTOM);
}

function axis(most) {
  const marks = [...new Set([0, Math.round(most / 2), Math.round(most)])];
  return marks.map((mark) => [
    svg("line", { class: "grid", x1: LEFT, x2: WIDE - RIGHT, y1: up(mark, most), y2: up(mark, most) }),
    text(LEFT - 5, up(mark, most) + 4, String(mark), "end"),
  ]);
}

// ---- faces

function facesPlot(faces) {
  const test = faces.chi_square ? say("fair", faces) : say("few");
  const caption = say("faces_caption", { faces: say("faces_of", faces), test });
  const drawing = canvas(caption);
  const most = Math.max(1, faces.expected, ...faces.counts);
  const expected = up(faces.expected, most);
  drawing.append(
    ...axis(most).flat(), ...bars(faces, most),
    svg("line", { class: "expected", x1: LEFT, x2: WIDE - RIGHT, y1: expected, y2: expected }),
    text(WIDE - RIGHT, expected - 4, say("expected", { expected: rounded(faces.expected) }), "end"),
  );
  const rows = faces.counts.map((count, place) => [String(place + 1), count]);
  return plotOf(caption, drawing, [say("face"), say("count")], rows);
}

function bars(faces, most) {
  const step = (WIDE - LEFT - RIGHT) / faces.sides;
  const every = Math.ceil(faces.sides / MOST_LABELS);
  return faces.counts.flatMap((count, place) => {
    const [x, y] = [LEFT + place * step, up(count, most)];
    const bar = svg("rect", { class: "bar", x: x + step * 0.1, y, width: step * 0.8, height: HIGH - BOTTOM - y });
    return place % every ? [bar] : [bar, text(x + step / 2, HIGH - 8, String(place + 1))];
  });
}

function rounded(number) {
  return String(Math.round(number * 10) / 10);
}

// ---- Bennies

// Who had how many: [[who, [[place, count] …]] …], whoever changed most first.
function pursesOf(steps) {
  const purses = new Map();
  steps.forEach((step, place) => {
    if (!step.bennies) return;
    for (const who of new Set([...purses.keys(), ...Object.keys(step.bennies)])) {
      const points = purses.get(who) ?? [[0, 0]];
      const count = step.bennies[who] ?? 0;
      if (points.at(-1)[1] !== count) points.push([place, count]);
      purses.set(who, points);
    }
  });
  return [...purses].sort(([, one], [, other]) => other.length - one.length).slice(0, MOST_PURSES);
}

function purseName(who) {
  return who === "pool" ? say("pool") : plain(who);
}

function benniesPlot(purses) {
  const most = Math.max(1, ...purses.flatMap(([, points]) => points.map(([, count]) => count)));
  const drawing = canvas(`${say("bennies")}: ${purses.map(([who]) => purseName(who)).join(", ")}`);
  drawing.append(...axis(most).flat(), ...purses.map(([, points], place) => purseLine(points, most, place)));
  const legend = purses.map(([who], place) =>
    el("li", {}, el("span", { class: `key c${place}`, "aria-hidden": "true" }, "━ "), el("bdi", {}, purseName(who))));
  const rows = purses.flatMap(([who, points]) =>
    points.map(([place, count]) => [purseName(who), page.steps[place].seq, count]));
  const plot = plotOf(say("bennies"), drawing, [say("who"), say("after"), say("part_bennies")], rows);
  plot.querySelector("svg").after(el("ul", { class: "legend" }, legend));
  return plot;
}

// A level until it changes; each line a hair apart, so that equal ones do not cover each other.
function purseLine(points, most, place) {
  const across = (at) => LEFT + (at / Math.max(1, page.steps.length - 1)) * (WIDE - LEFT - RIGHT);
  const steps = points.map(([at, count], n) => {
    const y = (up(count, most) - place).toFixed(1);
    return n ? `H${across(at).toFixed(1)}V${y}` : `M${across(at).toFixed(1)},${y}`;
  });
  return svg("path", { class: `purse c${place}`, d: `${steps.join("")}H${WIDE - RIGHT}` });
}

// ---- people

const OUTCOMES = ["succeeded", "failed", "critical", "undecided"];
const ROW = 34;

function peoplePlot(people) {
  const high = people.length * ROW + TOP;
  const drawing = canvas(say("people"), high);
  const most = Math.max(1, ...people.map((one) => one.rolls));
  drawing.append(...people.flatMap((one, place) => personRow(one, TOP + place * ROW, most)));
  const legend = OUTCOMES.map((key) =>
    el("li", {}, svg("svg", { viewBox: "0 0 10 10", class: "swatch", "aria-hidden": "true" },
      svg("rect", { class: key, width: 10, height: 10 })), " ", say(key)));
  const rows = people.map((one) => [plain(one.who), one.rolls, ...OUTCOMES.map((key) => one[key])]);
  const heads = [say("who"), say("rolls"), ...OUTCOMES.map((key) => say(key))];
  const plot = plotOf(say("people"), drawing, heads, rows);
  plot.querySelector("svg").after(el("ul", { class: "legend" }, legend));
  return plot;
}

function personRow(one, y, most) {
  let x = 0;
  const parts = OUTCOMES.filter((key) => one[key]).map((key) => {
    const width = (one[key] / most) * WIDE;
    const part = svg("rect", { class: key, x, y: y + 14, width, height: 12 });
    x += width;
    return part;
  });
  const decided = one.succeeded + one.failed + one.critical;
  const counted = decided ? `${one.succeeded} / ${decided}` : String(one.rolls);
  return [text(0, y + 9, plain(one.who), "start"), text(WIDE, y + 9, counted, "end"), ...parts];
}
