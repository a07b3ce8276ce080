// Keys for the owner's page. Everything that a key does can be clicked, too.
(() => {
  "use strict";

  // A page that takes the place of another brings its scripts along; two listeners would press each key twice.
  if (document.documentElement.dataset.keys) return;
  document.documentElement.dataset.keys = "on";

  const items = () => [...document.querySelectorAll("[data-item]")];
  const current = () => document.querySelector("[data-item][data-current]");
  let place = -1;

  // Makes an item the current one, and shows it.
  const go = (index) => {
    const all = items();
    if (!all.length) return;
    place = Math.max(0, Math.min(index, all.length - 1));
    for (const item of all) delete item.dataset.current;
    all[place].dataset.current = "";
    all[place].focus({ preventScroll: true });
    all[place].scrollIntoView({ block: "nearest" });
  };

  // What has this key: in the current item first, else on the page.
  const keyed = (key) => {
    const own = `[data-key="${CSS.escape(key)}"]`;
    const inside = current()?.querySelector(own);
    return inside ?? [...document.querySelectorAll(own)].find((it) => !it.closest("[data-item]"));
  };

  const help = () => document.getElementById("help");
  const closeHelp = () => help()?.open && help().close();

  const press = (key) => {
    if (key === "j") return go(place + 1), true;
    if (key === "k") return go(place - 1), true;
    if (key === "?") return help()?.open ? closeHelp() : help()?.showModal(), true;
    const found = keyed(key);
    if (!found) return false;
    if (found.matches("input[type=search], textarea")) found.focus();
    else found.click();
    if (found.matches("summary")) found.parentElement.querySelector("textarea")?.focus();
    return true;
  };

  document.addEventListener("keydown", (event) => {
    if (event.ctrlKey || event.metaKey || event.altKey || event.isComposing) return;
    const typed = event.target.closest("input:not([type=checkbox]), textarea, select");
    if (event.key === "Escape" && typed) return typed.blur();
    if (typed) return;
    if (press(event.key)) event.preventDefault();
  });

  document.addEventListener("click", (event) => {
    if (event.target.closest("[data-help]")) help()?.showModal();
    if (event.target.closest("[data-close]")) closeHelp();
  });

  document.addEventListener("focusin", (event) => {
    const item = event.target.closest("[data-item]");
    if (!item || item === current()) return;
    for (const other of items()) delete other.dataset.current;
    item.dataset.current = "";
    place = items().indexOf(item);
  });

  // A dialog that goes with its page while it is open would leave the next page without an answer.
  document.addEventListener("htmx:before:swap", closeHelp);

  // After a decision the one that took the place of the decided one is the current one.
  document.addEventListener("htmx:after:swap", (event) => {
    if (event.target !== document.body && event.detail?.ctx?.target !== document.body) return;
    const wanted = place;
    place = -1;
    if (wanted >= 0 && items().length) go(wanted);
    else document.getElementById("main")?.focus({ preventScroll: true });
  });

  // Another page begins without a current item.
  document.addEventListener("click", (event) => {
    if (event.target.closest("nav a")) place = -1;
  });
})();
