// Runs before everything else, and independently: if the application can't be loaded or fails while it starts, the page
// shows a message in the browser's language instead of staying empty.
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
  // The error event of a script that can't be loaded doesn't bubble, so it is captured.
  addEventListener("error", onFailure, true);
  addEventListener("unhandledrejection", onFailure);
})();
