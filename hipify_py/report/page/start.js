// The page as it is opened.
showFindings(true);
document.addEventListener("keydown", (event) => {
  const isTyping = /^(INPUT|SELECT|TEXTAREA)$/.test(document.activeElement?.tagName || "");
  if (event.key === "/" && !isTyping && !event.ctrlKey && !event.metaKey && !event.altKey) {
    event.preventDefault();
    filter("text").focus();
  }
});
document.documentElement.dataset.ready = "true";
