// Moves the numbers, sentences and lines of a page as its controls are moved.
//
// The server works everything out and writes it down; this script asks for it and puts it in place. It never computes a
// number, and never makes markup out of an answer: texts become text. Without it the page still shows one setting, and a
// button shows another.
"use strict";

const form = document.getElementById("controls");
const slider = document.getElementById("slider");
const number = document.getElementById("number");
const figure = document.getElementById("chart");
const plot = document.getElementById("plot");
const announcement = document.getElementById("announcement");
const problem = document.getElementById("problem");
const begin = JSON.parse(document.getElementById("begin").textContent);

const QUIET_BEFORE_WORKING = 300; // milliseconds: slow work is for where the slider stops, too
const QUIET_BEFORE_SPEAKING = 700; // milliseconds: whoever listens hears where the slider stops, not every step
const NOT_FOR_THIS = "The numbers below are still those of the last setting that could be worked out.";
const MARGINS = begin.margins; // pixels of the chart that are not plot

let chart = null; // the Vega view, once it is drawn
let shown = begin.view;
let asking = false;
let wanted = null; // the latest query that has not been asked for yet
let losses = null; // what ends the wait for losses that nobody wants any more
let silence = null;

// ---- what is asked ----

function query() {
  const asked = new URLSearchParams();
  for (const [name, value] of new FormData(form)) if (value !== "") asked.append(name, value);
  return asked.toString();
}

// What is wrong with a field is said beside it.
function mark(field, wrong) {
  field.setAttribute("aria-invalid", "true");
  const message = document.createElement("p");
  message.className = "problem beside";
  message.textContent = wrong;
  (field.closest(".level") ?? field.closest(".with-unit") ?? field).after(message);
}

function unmark() {
  for (const message of form.querySelectorAll(".beside")) message.remove();
  for (const field of form.querySelectorAll("[aria-invalid]")) field.removeAttribute("aria-invalid");
}

// What the browser itself finds wrong is not asked for.
function readable() {
  unmark();
  const wrong = [];
  for (const field of form.querySelectorAll("input, select")) {
    if (field.validity.valid || field.disabled || field.closest("[hidden]")) continue;
    mark(field, field.validationMessage);
    wrong.push(`${field.labels[0]?.textContent.trim() ?? field.name}: ${field.validationMessage}`);
  }
  complain(wrong.join(" "));
  return wrong.length === 0;
}

// One request at a time; of those that pile up meanwhile only the latest is sent.
async function ask() {
  losses?.abort();
  if (!readable()) {
    wanted = null;
    return;
  }
  wanted = query();
  performance.mark(`asked ${wanted}`);
  if (asking) return;
  asking = true;
  while (wanted !== null) {
    const now = wanted;
    wanted = null;
    const answer = await fetched(form.dataset.view, now);
    if (answer !== null && form.checkValidity()) await show(answer, now);
  }
  asking = false;
  if (!shown.complete && problem.hidden) await askForLosses(query());
}

// The slow part has a request of its own, which the next movement ends.
async function askForLosses(now) {
  losses = new AbortController();
  const { signal } = losses;
  await new Promise((settled) => setTimeout(settled, QUIET_BEFORE_WORKING));
  if (signal.aborted) return;
  const answer = await fetched(form.dataset.losses, now, signal);
  if (answer !== null && now === query()) await show(answer, now);
}

async function fetched(address, asked, signal) {
  try {
    const response = await fetch(`${address}?${asked}`, { signal, headers: { Accept: "application/json" } });
    const answer = await response.json();
    if (form.checkValidity()) refuse(response.ok ? "" : answer.error);
    return response.ok ? answer : null;
  } catch (error) {
    if (error.name !== "AbortError") complain("The server does not answer. Is it still running?");
    return null;
  }
}

// A refusal begins with the name of the field that it is about, if it is about one.
function refuse(message) {
  complain(message);
  unmark();
  const field = form.elements[message.split(" ", 1)[0]];
  if (field instanceof HTMLElement) mark(field, message);
}

// Numbers that are not for what stands in the fields are dimmed until they are again.
function complain(message) {
  problem.hidden = message === "";
  problem.textContent = message === "" ? "" : `${message} ${NOT_FOR_THIS}`;
  document.body.classList.toggle("stale", message !== "");
}

// ---- what is shown ----

async function show(answer, asked) {
  shown = answer;
  for (const [name, text] of Object.entries(answer.texts)) {
    for (const place of document.querySelectorAll(`[data-text="${name}"]`)) place.textContent = text;
  }
  for (const [name, lines] of Object.entries(answer.lists)) {
    document.querySelector(`[data-list="${name}"]`).replaceChildren(...lines.map(item));
  }
  for (const [name, present] of Object.entries(answer.present)) {
    for (const place of document.querySelectorAll(`[data-present="${name}"]`)) place.hidden = !present;
  }
  for (const link of document.querySelectorAll("a[data-carry]")) link.search = answer.address;
  history.replaceState(null, "", `?${answer.address}`);
  // An answer that comes late must not pull the slider back under the hand that moves it.
  if (asked === query()) {
    slider.value = answer.position;
    slider.setAttribute("aria-valuetext", answer.texts.position);
  }
  figure.setAttribute("aria-label", answer.texts.finding);
  await draw(answer.chart);
  measure(asked);
  speak(answer.texts.finding);
}

function item(text) {
  const line = document.createElement("li");
  line.textContent = text;
  return line;
}

function measure(asked) {
  const mark = `asked ${asked}`;
  if (performance.getEntriesByName(mark).length === 0) return;
  performance.clearMeasures("redraw");
  performance.measure("redraw", mark);
  performance.clearMarks(mark);
}

function speak(finding) {
  clearTimeout(silence);
  silence = setTimeout(() => {
    announcement.textContent = finding;
  }, QUIET_BEFORE_SPEAKING);
}

// ---- the chart ----

function plotWidth() {
  return Math.max(120, plot.clientWidth - MARGINS);
}

async function embed() {
  const spec = { ...begin.frame, datasets: shown.chart.rows };
  spec.params = spec.params.map((param) => ({ ...param, value: shown.chart.tops[param.name] }));
  const options = { ast: true, renderer: "svg", actions: false, defaultStyle: false, tooltip: false };
  const { view } = await window.charts.vegaEmbed(plot, spec, options);
  chart = view;
  await chart.width(plotWidth()).runAsync();
  new ResizeObserver(() => chart.width(plotWidth()).runAsync()).observe(plot);
  figure.dataset.drawn = "yes";
}

async function draw(data) {
  if (chart === null) return;
  for (const [name, rows] of Object.entries(data.rows)) chart.data(name, rows);
  for (const [name, top] of Object.entries(data.tops)) chart.signal(name, top);
  await chart.runAsync();
}

// ---- the controls ----

slider.addEventListener("input", () => {
  number.value = begin.positions[slider.valueAsNumber];
  ask();
});
form.addEventListener("input", (event) => {
  if (event.target !== slider) ask();
});
// The smaller sliders stand beside a number, and move it; a number that is typed moves its slider.
for (const beside of form.querySelectorAll("[data-moves]")) {
  const moved = document.getElementById(beside.dataset.moves);
  const positions = begin.beside[beside.dataset.moves];
  const follow = () => {
    const past = positions.findIndex((position) => Number(position) >= Number(moved.value));
    beside.value = past < 0 ? positions.length - 1 : past;
    beside.setAttribute("aria-valuetext", moved.value);
  };
  beside.addEventListener("input", () => {
    moved.value = positions[beside.valueAsNumber];
    beside.setAttribute("aria-valuetext", moved.value);
  });
  moved.addEventListener("input", follow);
  beside.disabled = false;
  follow();
}
form.addEventListener("submit", (event) => {
  event.preventDefault();
  ask();
});
document.getElementById("use")?.addEventListener("click", () => {
  number.value = shown.recommended;
  slider.focus();
  ask();
});

for (const spare of document.querySelectorAll("[data-without-script]")) spare.remove();
slider.disabled = false;
window.addEventListener("load", async () => {
  if (window.charts) await embed();
  if (!shown.complete) await askForLosses(query());
});
