"use strict";
(() => {
  const all = (selector, root = document) => [...root.querySelectorAll(selector)];
  const one = (selector, root = document) => root.querySelector(selector);
  const articles = all("article[data-key]");
  const said = one("#page-said");
  const search = one("#page-search");
  const lesson = one("#page-document");
  const help = one("#page-help");
  const list = one("#page-list");
  const buttons = all("button[data-filter]");
  const orders = all("button[data-order]");
  const inRisk = [...articles];
  const heading = one("#page-heading");
  const byRisk = heading.textContent;
  let filter = null;

  all("[data-needs-script]").forEach((element) => { element.hidden = false; });

  // Ticks stay where the browser lets them; in a private window or a sandbox they last as long as the page.
  const stored = {
    get(key) { try { return localStorage.getItem("claimcheck.drift." + key); } catch { return null; } },
    set(key, on) {
      try {
        if (on) localStorage.setItem("claimcheck.drift." + key, "read");
        else localStorage.removeItem("claimcheck.drift." + key);
      } catch { /* nothing to be done, and nothing is lost but the tick */ }
    },
  };
  const row = (article) => all("#page-contents li").find((item) => item.dataset.id === article.id);
  const tick = (article, on) => {
    article.classList.toggle("done", on);
    const item = row(article);
    if (item) item.classList.toggle("done", on);
  };
  for (const article of articles) {
    const box = one("input[type=checkbox]", article);
    box.checked = stored.get(article.dataset.key) === "read";
    tick(article, box.checked);
    box.addEventListener("change", () => {
      stored.set(article.dataset.key, box.checked);
      tick(article, box.checked);
      const left = articles.filter((each) => !each.classList.contains("done")).length;
      said.textContent = left ? `${left} of ${articles.length} still to read` : "Everything is read.";
    });
  }

  const shown = () => all("article[data-key]").filter((article) => !article.classList.contains("filtered"));
  const apply = () => {
    const words = search.value.toLowerCase().split(/\s+/).filter(Boolean);
    for (const article of articles) {
      const text = words.length ? article.textContent.toLowerCase() : "";
      const fits = (!filter || article.dataset.kinds.split(" ").includes(filter))
        && (!lesson.value || all("[data-in]", article).some((each) => each.dataset.in === lesson.value))
        && words.every((word) => text.includes(word));
      article.classList.toggle("filtered", !fits);
      const item = row(article);
      if (item) item.classList.toggle("filtered", !fits);
    }
    for (const head of all(".document-head", list)) {
      let next = head.nextElementSibling;
      let any = false;
      while (next && !next.classList.contains("document-head")) {
        any = any || !next.classList.contains("filtered");
        next = next.nextElementSibling;
      }
      head.classList.toggle("filtered", !any);
    }
    for (const button of buttons) button.setAttribute("aria-pressed", String(button.dataset.filter === filter));
    const count = shown().length;
    said.textContent = count === articles.length ? "" : `${count} of ${articles.length} shown`;
  };
  const toggle = (name) => { filter = filter === name ? null : name; apply(); };
  const everything = () => { filter = null; search.value = ""; lesson.value = ""; apply(); };
  for (const button of buttons) button.addEventListener("click", () => toggle(button.dataset.filter));
  search.addEventListener("input", apply);
  lesson.addEventListener("change", apply);

  const order = (name, keep) => {
    all(".document-head", list).forEach((head) => head.remove());
    heading.textContent = name === "document" ? "Read again, by document" : byRisk;
    if (name === "document") {
      const left = new Set(inRisk);
      for (const option of [...lesson.options].filter((each) => each.value)) {
        const own = inRisk.filter((article) => all("[data-in]", article).some((each) => each.dataset.in === option.value));
        if (!own.length) continue;
        const head = document.createElement("div");
        head.className = "document-head";
        const title = document.createElement("h2");
        title.textContent = option.textContent;
        head.append(title);
        const above = own.filter((article) => !left.has(article));
        if (above.length) {
          const also = document.createElement("p");
          also.className = "small";
          also.append("above: ");
          above.forEach((article, n) => {
            const link = document.createElement("a");
            link.href = "#" + article.id;
            link.textContent = article.id;
            also.append(n ? ", " : "", link);
          });
          head.append(also);
        }
        list.append(head);
        for (const article of own) if (left.delete(article)) list.append(article);
      }
      list.append(...left);
    } else {
      list.append(...inRisk);
    }
    for (const button of orders) button.setAttribute("aria-pressed", String(button.dataset.order === name));
    if (keep) {
      const address = new URL(location.href);
      address.searchParams.set("order", name);
      try { history.replaceState(null, "", address); } catch { /* an address that may not be changed */ }
    }
    apply();
  };
  for (const button of orders) button.addEventListener("click", () => order(button.dataset.order, true));

  const at = () => {
    const current = document.activeElement && document.activeElement.closest("article[data-key]");
    return current ? shown().indexOf(current) : -1;
  };
  const go = (to) => {
    const choice = shown();
    if (!choice.length) return;
    const article = choice[Math.max(0, Math.min(choice.length - 1, to))];
    article.focus({ preventScroll: true });
    article.scrollIntoView({ block: "start" });
  };
  const open = () => {
    const article = shown()[Math.max(0, at())];
    if (!article) return;
    const parts = all("details", article);
    const closed = parts.some((part) => !part.open);
    parts.forEach((part) => { part.open = closed; });
  };
  document.addEventListener("keydown", (event) => {
    if (event.ctrlKey || event.metaKey || event.altKey || event.isComposing) return;
    const typing = event.target.matches("input[type=search], select, textarea");
    if (event.key === "Escape") {
      if (typing) event.target.blur();
      if (!help.open) everything();
      return;
    }
    if (typing || help.open) return;
    const keys = {
      j: () => go(at() + 1),
      k: () => go(at() < 0 ? 0 : at() - 1),
      o: open,
      "/": () => search.focus(),
      "?": () => help.showModal(),
    };
    buttons.forEach((button, n) => { keys[String(n + 1)] = () => toggle(button.dataset.filter); });
    if (keys[event.key]) {
      event.preventDefault();
      keys[event.key]();
    }
  });
  one("#page-help-button").addEventListener("click", () => help.showModal());

  const copied = async (button) => {
    const code = one("code", button.parentElement);
    let done = false;
    try {
      await navigator.clipboard.writeText(code.textContent);
      done = true;
    } catch {
      const range = document.createRange();
      range.selectNodeContents(code);
      const selection = getSelection();
      selection.removeAllRanges();
      selection.addRange(range);
      try { done = document.execCommand("copy"); } catch { done = false; }
    }
    button.textContent = done ? "copied" : "selected";
    setTimeout(() => { button.textContent = "copy"; }, 1500);
  };
  for (const button of all("button[data-copy]")) button.addEventListener("click", () => copied(button));

  // The two columns of a hunk are scrolled as one.
  for (const block of all(".block:not(.one)")) {
    const [a, b] = all("pre", block);
    if (!b) continue;
    a.addEventListener("scroll", () => { b.scrollLeft = a.scrollLeft; }, { passive: true });
    b.addEventListener("scroll", () => { a.scrollLeft = b.scrollLeft; }, { passive: true });
  }

  const target = () => {
    let name = location.hash.slice(1);
    try { name = decodeURIComponent(name); } catch { /* not written by us */ }
    const wanted = document.getElementById(name);
    if (!wanted) return;
    for (let up = wanted; up; up = up.parentElement) if (up.tagName === "DETAILS") up.open = true;
    if (wanted.classList.contains("filtered")) everything();
    if (wanted.tabIndex >= -1) wanted.focus({ preventScroll: true });
    wanted.scrollIntoView({ block: "start" });
  };
  addEventListener("hashchange", target);
  addEventListener("beforeprint", () => all("details.printed").forEach((part) => { part.open = true; }));

  const asked = new URLSearchParams(location.search).get("order");
  order(asked === "document" ? "document" : "risk", false);
  if (location.hash) target();
})();
