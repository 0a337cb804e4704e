// Contrast is two fifths of what a look over a page by axe costs, and pages show the same colours again and again: the frame on every
// one, the same cells in every row. So a text is left out when one that looks the same has passed before, in this worker.

/**
 * Runs axe in a page with these options. `known`: looks of texts whose contrast is enough; the answer names further ones. A look is the
 * element's tag, classes, font and colours, and those of every element around it. What axe could not decide is looked at again.
 */
export const runAxe = `async (known, options) => {
  const knownLooks = new Set(known);
  const looks = new Map();
  const hash = (text) => {
    let [one, other] = [1, 2];
    for (let at = 0; at < text.length; at++) {
      one = Math.imul(one ^ text.charCodeAt(at), 2654435761);
      other = Math.imul(other ^ text.charCodeAt(at), 1597334677);
    }
    return (one >>> 0).toString(36) + (other >>> 0).toString(36);
  };
  const findLook = (element) => {
    if (element === null) return "";
    const found = looks.get(element);
    if (found !== undefined) return found;
    const { color, backgroundColor, backgroundImage, opacity, fontSize, fontWeight, textShadow } = getComputedStyle(element);
    // Mantine gives some elements a class of their own, for the sake of styles that are compared here.
    const classes = (element.getAttribute("class") ?? "").replace(/__m__\\S+/g, "");
    const own = [element.localName, classes, color, backgroundColor, backgroundImage, opacity, fontSize, fontWeight, textShadow];
    const look = hash(findLook(element.parentElement) + own.join("|"));
    looks.set(element, look);
    return look;
  };
  const rule = axe._audit.rules.find(({ id }) => id === "color-contrast");
  rule.matchesText ??= rule.matches;
  const judged = new Set();
  rule.matches = (element, ...others) => {
    if (knownLooks.has(findLook(element)) || !rule.matchesText(element, ...others)) return false;
    judged.add(findLook(element));
    return true;
  };
  const { violations, incomplete } = await axe.run({ ...options, elementRef: true });
  for (const { nodes } of incomplete) for (const { element } of nodes) judged.delete(looks.get(element));
  return {
    violations: violations.map(({ id, help, nodes }) => id + ": " + help + ": " + nodes.map(({ html }) => html).join(" ")),
    judged: [...judged],
  };
}`;
