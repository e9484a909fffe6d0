// What the theme leaves out.

/** For keyboards and screen readers, in elements that the script of the theme adds. */
function complete() {
  // The buttons of each block of code are in a `nav`: these landmarks would hide the real ones.
  document.querySelectorAll("nav.md-code__nav").forEach((buttons) => buttons.setAttribute("role", "none"));
  // A table that is wider than its frame scrolls by keyboard, too.
  document.querySelectorAll(".md-typeset__scrollwrap").forEach((frame) => (frame.tabIndex = frame.scrollWidth > frame.clientWidth ? 0 : -1));
}

/** Opens the tab that contains the section of the address. */
function openTab() {
  const section = document.getElementById(decodeURIComponent(location.hash.slice(1)));
  const block = section?.closest(".tabbed-block");
  if (!block) return;
  const index = [...block.parentElement.children].indexOf(block);
  block.closest(".tabbed-set").querySelectorAll(":scope > input")[index].click();
  section.scrollIntoView();
}

/** Gives the composer the colors of the page. */
function color() {
  const root = document.querySelector("iframe.composer")?.contentDocument?.documentElement;
  if (root) root.style.colorScheme = document.body.dataset.mdColorScheme === "slate" ? "dark" : "light";
}

new MutationObserver(complete).observe(document.body, { childList: true, subtree: true });
addEventListener("resize", complete);
addEventListener("load", openTab);
addEventListener("hashchange", openTab);
new MutationObserver(color).observe(document.body, { attributeFilter: ["data-md-color-scheme"] });
addEventListener("load", color); // after the frames have loaded
complete();
