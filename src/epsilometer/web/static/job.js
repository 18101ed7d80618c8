// Keeps the progress bar up to date, and loads the page again when the work has ended.
"use strict";
const box = document.getElementById("job");
const bar = document.getElementById("progress");
const step = document.getElementById("step");
const TRIES = 3; // in vain, before the server counts as gone
let failures = 0;

async function update() {
  let answer, job;
  try {
    answer = await fetch(box.dataset.state);
    job = await answer.json();
    failures = 0;
  } catch {
    failures += 1;
    if (failures < TRIES) setTimeout(update, 700);
    else gone();
    return;
  }
  if (!answer.ok || job.state !== "running") {
    location.reload();
    return;
  }
  bar.value = job.share;
  step.textContent = job.step;
  setTimeout(update, 700);
}

function gone() {
  bar.hidden = true;
  step.hidden = true;
  document.getElementById("going").hidden = true;
  document.getElementById("gone").hidden = false;
}

setTimeout(update, 300);
