// Keys for the owner's page. Everything that a key does can be clicked, too.
(() => {
  "use strict";

  // A page that replaces another one brings its scripts along; two listeners would press each key twice.
  if (document.documentElement.dataset.keys) return;
  document.documentElement.dataset.keys = "on";

  // A link signs in once: its code stands in the fragment, which is never sent as part of an address.
  const token = document.querySelector("main.entrance input[name=token]");
  const code = location.hash.slice(1);
  if (token && code) {
    history.replaceState(null, "", location.pathname);
    token.value = code;
    token.form.requestSubmit();
  }

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
    const outside = [...document.querySelectorAll(own)].find((it) => !it.closest("[data-item]"));
    // The only item of a page, such as the candidate under review, need not be chosen first.
    return inside ?? outside ?? (items().length === 1 ? items()[0].querySelector(own) : null);
  };

  const help = () => document.getElementById("help");
  const closeHelp = () => help()?.open && help().close();

  const press = (key) => {
    if ((key === "j" || key === "k") && !keyed(key)) return go(place + (key === "j" ? 1 : -1)), true;
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
    if (event.target.closest("[data-print]")) print();
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

  // A swipe over a candidate does what its key does: to the right accepts, to the left rejects.
  let swipe = null;
  document.addEventListener("touchstart", (event) => {
    const card = event.target.closest("[data-swipe]");
    const touch = event.touches[0];
    swipe = card && event.touches.length === 1 ? { card, x: touch.clientX, y: touch.clientY } : null;
  }, { passive: true });
  document.addEventListener("touchend", (event) => {
    const touch = event.changedTouches[0];
    const begun = swipe;
    swipe = null;
    if (!begun || document.getSelection()?.toString()) return;
    const [across, down] = [touch.clientX - begun.x, touch.clientY - begun.y];
    if (Math.abs(across) < 96 || Math.abs(across) < 3 * Math.abs(down)) return;
    begun.card.querySelector(`[data-key="${across > 0 ? "a" : "r"}"]`)?.click();
  }, { passive: true });

  // A slider shows its part when it is let go.
  document.addEventListener("change", (event) => {
    if (event.target.matches("[data-submit]")) event.target.form.requestSubmit();
  });

  // How many are ticked.
  document.addEventListener("change", (event) => {
    const shown = event.target.form?.querySelector(`[data-count="${CSS.escape(event.target.name)}"]`);
    if (shown) shown.value = event.target.form.querySelectorAll("input[type=checkbox]:checked").length;
  });

  // Copies the code beside the button.
  document.addEventListener("click", (event) => {
    const button = event.target.closest("[data-copy]");
    const text = button?.parentElement.querySelector("pre")?.textContent;
    if (text !== undefined) navigator.clipboard?.writeText(text).then(() => { button.textContent = "Copied"; });
  });

  // The chat: a reply arrives word by word, and then the page shows the conversation as the server renders it.
  let running = null;

  const bubble = (kind, text) => {
    const item = document.createElement("li");
    item.className = kind;
    const words = item.appendChild(document.createElement("div"));
    words.className = "words";
    const shown = words.appendChild(document.createElement("div"));
    shown.className = "text plain";
    shown.textContent = text;
    return item;
  };

  const told = (text, isBad) => {
    const note = document.createElement("p");
    note.className = isBad ? "note bad" : "note";
    note.textContent = text;
    document.getElementById("told")?.append(note);
  };

  const refreshed = async () => {
    const answer = await fetch(location.pathname, { headers: { Accept: "text/html" } });
    const page = new DOMParser().parseFromString(await answer.text(), "text/html");
    for (const id of ["chat-head", "talk", "news"]) {
      const [now, next] = [document.getElementById(id), page.getElementById(id)];
      if (now && next) now.replaceChildren(...next.childNodes);
    }
    document.getElementById("told")?.append(...(page.getElementById("told")?.childNodes ?? []));
    if (page.title) document.title = page.title;
  };

  const atEnd = () => document.getElementById("say") && scrollTo(0, document.documentElement.scrollHeight);

  // A chat opens at its newest message.
  if (!location.hash) atEnd();
  document.addEventListener("htmx:after:swap", () => { if (!location.hash) atEnd(); });

  // The events of a stream, as they arrive.
  async function* events(body) {
    const reader = body.pipeThrough(new TextDecoderStream()).getReader();
    let text = "";
    for (;;) {
      const { value, done } = await reader.read();
      if (done) return;
      text += value;
      const parts = text.split("\n\n");
      text = parts.pop();
      for (const part of parts) {
        const field = (name) => part.split("\n").find((line) => line.startsWith(`${name}: `))?.slice(name.length + 2);
        if (field("data")) yield [field("event"), JSON.parse(field("data"))];
      }
    }
  }

  const say = async (form) => {
    const field = form.elements.namedItem("text");
    const said = field.value;
    if (running || !said.trim()) return;
    running = new AbortController();
    const sent = new URLSearchParams(new FormData(form));
    const composer = document.getElementById("say");
    const stop = composer?.querySelector("[data-stop]");
    document.getElementById("told")?.replaceChildren();
    const talk = document.getElementById("talk");
    const list = talk?.querySelector("ol.talk") ?? talk?.appendChild(Object.assign(document.createElement("ol"), { className: "talk" }));
    const isCommand = /^\/[a-z]+( |$)/.test(said);
    // Words that were not answered go back to where they were typed: sent again, they are not stored twice.
    const giveBack = () => {
      const own = composer?.elements.namedItem("text");
      if (own && !own.value.trim()) own.value = said;
    };
    const reply = bubble("reply", "\u2026");
    if (!isCommand) list?.append(bubble("mine", said), reply);
    if (form === composer) field.value = "";
    if (stop) stop.hidden = false;
    atEnd();
    let isKept = false;
    let text = "";
    try {
      const answer = await fetch(form.action, { method: "POST", body: sent, headers: { Accept: "text/event-stream" }, signal: running.signal });
      if (!answer.ok) throw new Error((await answer.json()).error.message);
      isKept = true;
      for await (const [kind, words] of events(answer.body)) {
        if (kind === "go") return location.assign(words);
        if (kind === "told") told(words, false);
        if (kind === "failed") {
          told(words, true);
          if (!text) giveBack();
        }
        if (kind !== "words") continue;
        text += words;
        reply.querySelector(".text").textContent = text;
        atEnd();
      }
    } catch (error) {
      if (error.name !== "AbortError") {
        told(isKept ? "The connection was lost before the reply was complete." : `That did not work: ${error.message}`, true);
        if (!text) giveBack();
      }
    } finally {
      running = null;
      if (stop) stop.hidden = true;
      await refreshed().then(() => reach(true), () => reach(false));
      atEnd();
      composer?.elements.namedItem("text").focus({ preventScroll: true });
    }
  };

  document.addEventListener("submit", (event) => {
    const form = event.target.closest("form[data-say]");
    if (!form) return;
    event.preventDefault();
    say(form);
  });
  document.addEventListener("click", (event) => {
    if (event.target.closest("[data-stop]")) running?.abort();
  });
  document.addEventListener("keydown", (event) => {
    const field = event.target.closest("form[data-say] textarea");
    if (!field || event.key !== "Enter" || event.shiftKey || event.isComposing) return;
    event.preventDefault();
    field.form.requestSubmit();
  });

  // A file that is dropped becomes text of the message.
  const FILE_BYTES_MAX = 200000;
  document.addEventListener("dragover", (event) => {
    if (event.target.closest("form[data-say]")) event.preventDefault();
  });
  document.addEventListener("drop", async (event) => {
    const field = event.target.closest("form[data-say]")?.elements.namedItem("text");
    if (!field || !event.dataTransfer.files.length) return;
    event.preventDefault();
    for (const file of event.dataTransfer.files) {
      if (file.size > FILE_BYTES_MAX) { told(`${file.name} is larger than 200 kB.`, true); continue; }
      const text = await file.text();
      if (text.includes("\0")) { told(`${file.name} is not a text file.`, true); continue; }
      field.value += `${field.value ? "\n\n" : ""}${file.name}:\n\n\`\`\`\n${text}\n\`\`\`\n`;
    }
  });

  // A page that cannot reach its server says so until it can.
  const reach = (isThere) => { const note = document.getElementById("offline"); if (note) note.hidden = isThere; };
  addEventListener("offline", () => reach(false));
  addEventListener("online", () => reach(true));
  document.addEventListener("htmx:after:request", () => reach(true));
  document.addEventListener("htmx:error", (event) => { if (!event.detail?.ctx?.response) reach(false); });

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
