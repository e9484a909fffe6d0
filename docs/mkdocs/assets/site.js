// The theme puts the buttons of each block of code into a `nav`: as landmarks, so many of them would hide the real ones from screen readers.
const unmark = () => document.querySelectorAll("nav.md-code__nav:not([role])").forEach((buttons) => buttons.setAttribute("role", "none"));
new MutationObserver(unmark).observe(document.body, { childList: true, subtree: true });
unmark();
