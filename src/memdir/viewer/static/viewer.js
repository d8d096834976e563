// Keys, and the filter that answers while one types. Every page reads well without this file.
"use strict";

const fields = "input, textarea, select";
const all = (query, within = document) => [...within.querySelectorAll(query)];
const one = (query) => document.querySelector(query);

function items() {
  return all("[data-item]");
}

function choose(step) {
  const list = items();
  if (!list.length) return;
  const now = list.findIndex((item) => item.classList.contains("chosen"));
  const next = Math.min(Math.max(now + step, 0), list.length - 1);
  list.forEach((item, at) => item.classList.toggle("chosen", at === next));
  const item = list[next];
  const target = item.matches("[tabindex]") ? item : item.querySelector("a, button, summary");
  (target || item).focus({ preventScroll: true });
  item.scrollIntoView({ block: "nearest" });
}

function press(key) {
  const chosen = one("[data-item].chosen") || items()[0];
  const button = chosen && chosen.querySelector(`[data-key="${key}"]`);
  if (button) button.click();
}

function edit() {
  const part = one("[data-edit]");
  if (!part) return;
  part.open = true;
  part.querySelector("textarea").focus();
}

function slash() {
  const field = one("[data-slash]");
  if (!field) return;
  field.focus();
  if (field.select) field.select();
}

function help() {
  const dialog = one("#keys");
  if (dialog.open) dialog.close();
  else dialog.showModal();
}

const keys = {
  "/": slash,
  "?": help,
  j: () => choose(1),
  k: () => choose(-1),
  a: () => press("a"),
  r: () => press("r"),
  e: edit,
};

document.addEventListener("keydown", (event) => {
  if (event.ctrlKey || event.metaKey || event.altKey) return;
  if (event.target.matches(fields)) {
    if (event.key === "Escape") event.target.blur();
    return;
  }
  const page = /^[1-9]$/.test(event.key) && all("nav[aria-label=Pages] a")[Number(event.key) - 1];
  const action = page ? () => page.click() : keys[event.key];
  if (action && !(one("#keys").open && event.key !== "?")) {
    event.preventDefault();
    action();
  }
});

one("[data-help]").addEventListener("click", (event) => {
  event.preventDefault();
  help();
});

// Filter as you type: the page of the form's own address, of which the results are taken over.
let asked = 0;

async function replaceResults(address, remember) {
  const mine = ++asked;
  const answer = await fetch(address, { credentials: "same-origin" });
  if (!answer.ok || mine !== asked) return;
  const page = new DOMParser().parseFromString(await answer.text(), "text/html");
  const fresh = page.querySelector("#results");
  if (!fresh || mine !== asked) return;
  const chosen = items().findIndex((item) => item.classList.contains("chosen"));
  one("#results").replaceWith(document.importNode(fresh, true));
  if (!remember && chosen >= 0 && items()[chosen]) items()[chosen].classList.add("chosen");
  if (remember) history.replaceState(null, "", address);
  lookAgain();
}

const filter = one("[data-filter]");
if (filter) {
  const address = () => filter.getAttribute("action") + "?" + new URLSearchParams(new FormData(filter));
  let timer = 0;
  const changed = () => {
    clearTimeout(timer);
    timer = setTimeout(() => replaceResults(address(), true), 120);
  };
  filter.addEventListener("input", changed);
  filter.addEventListener("submit", (event) => {
    event.preventDefault();
    clearTimeout(timer);
    replaceResults(address(), true);
  });
  filter.classList.add("live");
}

// Claims are checked beside the page: look for the verdicts a few times, then leave it.
let looks = 0;

function lookAgain() {
  if (one("#results[data-again]") && looks++ < 10) {
    setTimeout(() => replaceResults(location.href, false), 500 + 500 * looks);
  }
}

lookAgain();
