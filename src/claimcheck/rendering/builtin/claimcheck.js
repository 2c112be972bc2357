"use strict";
(() => {
  const all = (selector, root = document) => [...root.querySelectorAll(selector)];
  const root = document.documentElement;

  // The choice stays where the browser lets it; in a private window it lasts as long as the page.
  const stored = {
    get() { try { return localStorage.getItem("claimcheck.theme"); } catch { return null; } },
    set(theme) { try { localStorage.setItem("claimcheck.theme", theme); } catch { /* only this page then */ } },
  };
  const chosen = stored.get();
  if (chosen === "light" || chosen === "dark") root.dataset.theme = chosen;

  const dark = () => root.dataset.theme
    ? root.dataset.theme === "dark"
    : matchMedia("(prefers-color-scheme: dark)").matches;

  for (const button of all("[data-cc-theme]")) {
    button.hidden = false;
    button.addEventListener("click", () => {
      root.dataset.theme = dark() ? "light" : "dark";
      stored.set(root.dataset.theme);
    });
  }

  // Contents are open where there is room for them beside the text.
  if (matchMedia("(min-width: 72rem)").matches) {
    for (const details of all(".cc-contents details")) details.open = true;
  }

  const linesOf = (figure) => all("pre code", figure).map((code) => {
    const copy = code.cloneNode(true);
    for (const cut of all(".cc-cut", copy)) cut.remove();
    return copy.textContent;
  }).join("\n") + "\n";

  const put = async (text) => {
    try {
      await navigator.clipboard.writeText(text);
    } catch {
      // Pages opened from a disk may not have that; the old way asks nobody.
      const area = document.createElement("textarea");
      area.value = text;
      area.setAttribute("readonly", "");
      area.style.position = "fixed";
      area.style.opacity = "0";
      document.body.append(area);
      area.select();
      document.execCommand("copy");
      area.remove();
    }
  };

  for (const tools of all(".cc-tools")) {
    const figure = tools.closest("figure");
    tools.hidden = false;
    for (const button of all("[data-cc-copy]", tools)) {
      const words = button.textContent;
      button.addEventListener("click", async () => {
        await put(linesOf(figure));
        button.textContent = button.dataset.ccCopy;
        setTimeout(() => { button.textContent = words; }, 2000);
      });
    }
    for (const button of all("[data-cc-unfold]", tools)) {
      button.addEventListener("click", () => {
        for (const fold of all(".cc-fold", figure)) fold.open = true;
        button.remove();
      });
    }
  }

  // A place that is folded away is opened when somebody goes there, and everything before it is printed in full.
  const reveal = () => {
    const target = location.hash && document.getElementById(decodeURIComponent(location.hash.slice(1)));
    for (let at = target && target.parentElement; at; at = at.parentElement) {
      if (at.tagName === "DETAILS") at.open = true;
    }
    if (target) target.scrollIntoView();
  };
  addEventListener("hashchange", reveal);
  reveal();
  addEventListener("beforeprint", () => {
    for (const fold of all("details:not(.cc-fold), .cc-print-full .cc-fold")) fold.open = true;
  });

  // What a citation leads to, shown beside it while the pointer rests there.
  let peek = null;
  let waiting = 0;
  const hide = () => {
    clearTimeout(waiting);
    if (peek) peek.remove();
    peek = null;
  };
  const show = (link) => {
    hide();
    const note = document.getElementById(decodeURIComponent(link.hash.slice(1)));
    if (!note || note.tagName !== "LI") return;
    peek = document.createElement("div");
    peek.className = "cc-peek";
    peek.setAttribute("aria-hidden", "true");
    peek.append(...[...note.cloneNode(true).childNodes]);
    for (const one of all("[id]", peek)) one.removeAttribute("id");
    document.body.append(peek);
    const box = link.getBoundingClientRect();
    const left = Math.min(Math.max(16, box.left), document.documentElement.clientWidth - peek.offsetWidth - 16);
    const above = box.top > peek.offsetHeight + 60;
    peek.style.left = `${left + scrollX}px`;
    peek.style.top = `${(above ? box.top - peek.offsetHeight - 8 : box.bottom + 8) + scrollY}px`;
  };
  if (matchMedia("(hover: hover)").matches) {
    for (const link of all("a.cc-cite[href^='#']")) {
      link.addEventListener("mouseenter", () => { waiting = setTimeout(show, 250, link); });
      link.addEventListener("mouseleave", hide);
      link.addEventListener("click", hide);
    }
    addEventListener("keydown", (event) => { if (event.key === "Escape") hide(); });
  }
})();
