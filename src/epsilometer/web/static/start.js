// Files can be dragged onto the form; one that is too large is refused before it is sent. Works without, too.
"use strict";
const form = document.querySelector("form.drop");
const field = form.querySelector("input[type=file]");
const problem = document.getElementById("problem");

function check() {
  const file = field.files[0];
  const limit = Number(form.dataset.limit);
  const large = file !== undefined && file.size > limit;
  problem.hidden = !large;
  problem.textContent = large
    ? `${file.name} is larger than ${Math.floor(limit / 2 ** 20)} MiB. Start the page with the file itself, which has no limit: epsilometer serve FILE.`
    : "";
  return !large;
}

form.addEventListener("submit", (event) => {
  if (!check()) event.preventDefault();
});
field.addEventListener("change", check);
form.addEventListener("dragover", (event) => {
  event.preventDefault();
  form.classList.add("over");
});
form.addEventListener("dragleave", () => form.classList.remove("over"));
form.addEventListener("drop", (event) => {
  event.preventDefault();
  form.classList.remove("over");
  field.files = event.dataTransfer.files;
  if (field.files.length > 0 && check()) form.requestSubmit();
});
