// Words in the language that is chosen, and elements made of them.
// Here: text into the document, as text alone. Never: markup from text, and no style or handler in an attribute.

const SVG = "http://www.w3.org/2000/svg";
// What could steer a reader's screen or turn round the text beside it.
const HIDING = /[\p{Cc}\p{Cs}\u061c\u200e\u200f\u2028\u2029\u202a-\u202e\u2066-\u2069]/gu;
const page = { facts: {}, steps: [], lines: [], record: new Uint8Array(), speech: "en", at: 0, asked: [] };

const by = (id) => document.getElementById(id);
const plain = (text) => String(text ?? "").replace(HIDING, "");

// Of a pair [Chinese, English] the one that is spoken.
function told(pair) {
  return page.speech === "zh" ? pair[0] : pair[1];
}

function say(key, facts = {}, book = page.facts.words) {
  return told(book[key]).replace(/\{(\w+)\}/g, (_, name) => plain(facts[name]));
}

function filled(node, traits, children) {
  for (const [name, value] of Object.entries(traits)) {
    if (value !== null && value !== undefined && value !== false) node.setAttribute(name, value === true ? "" : value);
  }
  node.append(...children.flat().filter((one) => one !== null && one !== undefined && one !== ""));
  return node;
}

function el(tag, traits = {}, ...children) {
  return filled(document.createElement(tag), traits, children);
}

function svg(tag, traits = {}, ...children) {
  return filled(document.createElementNS(SVG, tag), traits, children);
}

// All that stands in the page from the beginning, said anew.
function speak(speech) {
  page.speech = speech;
  document.documentElement.lang = speech === "zh" ? "zh-Hans" : "en";
  for (const node of document.querySelectorAll("[data-say]")) node.textContent = say(node.dataset.say, page.facts);
  for (const node of document.querySelectorAll("[data-name]")) node.setAttribute("aria-label", say(node.dataset.name));
  by("language").textContent = say("language");
  by("language").lang = speech === "zh" ? "en" : "zh-Hans";
}
