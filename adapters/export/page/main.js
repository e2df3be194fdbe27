// The page begins: what was packed is read, drawn and wired.
// Here: the views, language, colours. Never: what is in a view.

const VIEWS = ["transcript", "figures", "proof"];

function choose(view) {
  if (view === "figures") showFigures();
  for (const one of VIEWS) {
    const chosen = one === view;
    by(`view-${one}`).hidden = !chosen;
    by(`tab-${one}`).setAttribute("aria-selected", String(chosen));
    by(`tab-${one}`).tabIndex = chosen ? 0 : -1;
  }
}

// Arrows go from tab to tab, as everywhere.
function onTabKey(event) {
  const place = VIEWS.findIndex((view) => event.target.id === `tab-${view}`);
  const steps = { ArrowLeft: place - 1, ArrowRight: place + 1, Home: 0, End: VIEWS.length - 1 };
  if (place < 0 || steps[event.key] === undefined) return;
  event.preventDefault();
  const view = VIEWS.at(steps[event.key] % VIEWS.length);
  choose(view);
  by(`tab-${view}`).focus();
}

function changeLanguage() {
  speak(page.speech === "zh" ? "en" : "zh");
  retellTranscript();
  tellShown();
  goTo(page.at, -1, false);
  if (page.figured) drawFigures();
  drawVerdict();
  drawPlay();
}

function wirePage() {
  for (const view of VIEWS) by(`tab-${view}`).addEventListener("click", () => choose(view));
  document.querySelector("[role=tablist]").addEventListener("keydown", onTabKey);
  by("language").addEventListener("click", changeLanguage);
  by("theme").addEventListener("change", ({ target }) => (document.documentElement.dataset.theme = target.value));
  addEventListener("beforeprint", () => {
    fillAll();
    showFigures();
  });
  for (const box of document.querySelectorAll("input[name=kind]")) {
    box.addEventListener("change", () => {
      drawFilters();
      goTo(page.at);
    });
  }
}

// On a phone the table is folded, and lies on top of the player, whatever height that has.
function foldBoard() {
  const player = document.querySelector(".player");
  const measure = () => document.documentElement.style.setProperty("--player", `${player.offsetHeight}px`);
  new ResizeObserver(measure).observe(player);
  const narrow = matchMedia("(max-width: 60rem)");
  const fold = () => (by("board").open = !narrow.matches);
  narrow.addEventListener("change", fold);
  fold();
}

function trouble(key) {
  by("trouble").textContent = say(key);
  by("trouble").hidden = false;
}

// At the first step, as little as is known then, and on from there.
function playFromTheStart() {
  goTo(0, 1, false);
  toggleLater();
  play();
}

// What nobody sees at first.
async function complete() {
  await breathe();
  await fillByAndBy();
  showFigures();
  await recordRead();
  document.documentElement.dataset.whole = "true";
}

async function begin() {
  page.facts = JSON.parse(by("facts").textContent);
  page.speech = page.facts.speech;
  wirePage();
  wireTimeline();
  wireProof();
  foldBoard();
  if (!globalThis.DecompressionStream) return trouble("too_old");
  try {
    page.steps = await readSteps();
  } catch {
    return trouble("unreadable");
  }
  drawTranscript();
  drawFilters();
  drawBadge();
  if (page.facts.speed) playFromTheStart();
  else goTo(page.steps.length - 1, -1, false);
  document.documentElement.dataset.ready = "true";
  await complete();
}

begin();
