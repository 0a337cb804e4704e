// Runs before everything else, and by itself: when the program of the page cannot be loaded or fails while it starts,
// the page says so, in the language of the browser, instead of staying empty.
(() => {
  const show = () => {
    const plain = document.getElementById("plain");
    if (plain === null || document.getElementById("root").childElementCount > 0) return;
    const wanted = navigator.language.split("-")[0];
    const texts = [...plain.querySelectorAll("[lang]")];
    const chosen = texts.find(({ lang }) => lang === wanted) ?? texts[0];
    for (const text of texts) text.hidden = text !== chosen;
    document.documentElement.lang = chosen.lang;
    plain.hidden = false;
  };
  const onFailure = () => {
    if (document.readyState === "loading") addEventListener("DOMContentLoaded", show);
    else show();
  };
  // A script that cannot be loaded is only heard of while the event goes down to it.
  addEventListener("error", onFailure, true);
  addEventListener("unhandledrejection", onFailure);
})();
