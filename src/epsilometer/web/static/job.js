// Keeps the progress bar up to date, and loads the page again when the work has ended.
"use strict";
const box = document.getElementById("job");
const bar = document.getElementById("progress");
const step = document.getElementById("step");

async function update() {
  const answer = await fetch(box.dataset.state);
  const job = await answer.json();
  if (!answer.ok || job.state !== "running") {
    location.reload();
    return;
  }
  bar.value = job.share;
  step.textContent = job.step;
  setTimeout(update, 700);
}

setTimeout(update, 300);
