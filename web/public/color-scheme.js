// Runs before the first paint, so that a dark page doesn't start with a white flash. A separate file, because the page
// allows no inline scripts.
(() => {
  let chosen = "auto";
  try {
    chosen = localStorage.getItem("mantine-color-scheme-value") ?? "auto";
  } catch {
    // storage is disabled: the system decides
  }
  const dark = chosen === "dark" || (chosen !== "light" && matchMedia("(prefers-color-scheme: dark)").matches);
  document.documentElement.setAttribute("data-mantine-color-scheme", dark ? "dark" : "light");
})();
