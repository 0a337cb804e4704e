// Running axe on a page takes half a second, and pages repeat the same parts: the frame on every page, the same cells in every row.
// So elements that look like one that has passed are skipped, and of elements with the same look on a page only two are
// checked.

/**
 * Runs axe in a page with these options. `known`: looks of elements that passed elsewhere. The page itself remembers the looks of
 * earlier calls, and the result contains new ones. For contrast, a look consists of the
 * tag, classes, font and colors of the element and of its ancestors. For the other rules, a shape is used instead: tag, classes and
 * role of the element and its ancestors, and the element's attributes, the elements it refers to, its kinds of children, and
 * whether it has text, is visible and scrolls. Undecided elements are checked again. Rules that compare elements with each
 * other check all of them.
 */
export const runAxe = `async (known, options) => {
  const knownLooks = (self.knownLooks ??= new Set());
  for (const look of known) knownLooks.add(look);
  self.knownLookCount = (self.knownLookCount ?? 0) + known.length;
  const hash = (text) => {
    let [one, other] = [1, 2];
    for (let at = 0; at < text.length; at++) {
      one = Math.imul(one ^ text.charCodeAt(at), 2654435761);
      other = Math.imul(other ^ text.charCodeAt(at), 1597334677);
    }
    return (one >>> 0).toString(36) + (other >>> 0).toString(36);
  };
  const remember = (find) => {
    const found = new Map();
    return (element) => {
      if (element === null) return "";
      if (!found.has(element)) found.set(element, find(element));
      return found.get(element);
    };
  };
  // Mantine gives some elements unique classes for their styles, which this comparison covers anyway.
  const readClasses = (element) => (element.getAttribute("class") ?? "").replace(/__m__\\S+/g, "");
  const findLook = remember((element) => {
    const { color, backgroundColor, backgroundImage, opacity, fontSize, fontWeight, textShadow } = getComputedStyle(element);
    const own = [color, backgroundColor, backgroundImage, opacity, fontSize, fontWeight, textShadow];
    return hash([findLook(element.parentElement), element.localName, readClasses(element), ...own].join("|"));
  });

  const showsText = (element) =>
    "value" in element || [...element.childNodes].some(({ nodeType, nodeValue }) => nodeType === 3 && nodeValue.trim());

  const isNamed = (element) => ["aria-label", "alt", "title"].some((name) => element.getAttribute(name)?.trim());
  const hasText = remember(
    (element) =>
      isNamed(element) ||
      [...element.childNodes].some((child) => (child.nodeType === 1 ? hasText(child) : child.nodeValue?.trim())),
  );
  const refers = /^(for|list|headers|aria-(labelledby|describedby|controls|owns|activedescendant|details|errormessage|flowto))$/;
  const ignored = /^(id|class|style|data-.*)$/;
  const compared = /^(role|type|tabindex|lang|autocomplete|scope|aria-(?!label$|value|roledescription$|description$).*)$/;
  const describe = ({ name, value }) => {
    if (ignored.test(name)) return "";
    if (refers.test(name)) return name + value.split(/\\s+/).map((id) => hasText(document.getElementById(id)));
    return name + (compared.test(name) ? value : value.trim() === "");
  };
  const findPlace = remember((element) =>
    hash([findPlace(element.parentElement), element.localName, readClasses(element), element.getAttribute("role")].join("|")),
  );
  const findShape = remember((element) => {
    const kinds = [...element.children].map((child) => child.localName + child.getAttribute("role"));
    const state = [
      hasText(element),
      [...(element.labels ?? [])].map(hasText),
      element.checkVisibility({ visibilityProperty: true, opacityProperty: true }),
      element.scrollHeight > element.clientHeight || element.scrollWidth > element.clientWidth,
    ];
    return hash([findPlace(element), ...[...element.attributes].map(describe), ...new Set(kinds), ...state].join("|"));
  });

  /** Returns a check whether an element is the first or second of its kind; one of the two may be covered by another element. */
  const beginCount = (find) => {
    const counts = new Map();
    return (element) => {
      const look = find(element);
      const count = counts.get(look) ?? 0;
      counts.set(look, count + 1);
      return count < 2;
    };
  };
  const { rules, checks } = axe._audit;
  const compares = ({ id, pageLevel, any, all, none }) =>
    pageLevel || /^(td|th|skip|frame)-/.test(id) || [...any, ...all, ...none].some((check) => checks[check.id ?? check]?.after);
  for (const rule of rules) {
    if (compares(rule)) continue;
    const { gather } = Object.getPrototypeOf(rule);
    const isContrast = rule.id === "color-contrast";
    const find = isContrast ? findLook : findShape;
    rule.gather = (...context) => {
      const isWanted = isContrast ? showsText : beginCount(findShape);
      return gather
        .apply(rule, context)
        .filter(({ actualNode }) => isWanted(actualNode) && !knownLooks.has(find(actualNode)));
    };
  }
  const contrast = rules.find(({ id }) => id === "color-contrast");
  const judged = new Set();
  const isAmongFirst = beginCount(findLook);
  contrast.matchesText ??= contrast.matches;
  contrast.matches = (element, ...others) => {
    if (!contrast.matchesText(element, ...others) || !isAmongFirst(element)) return false;
    judged.add(findLook(element));
    return true;
  };
  const { violations, incomplete } = await axe.run({ ...options, elementRef: true });
  if (options.runOnly === undefined) for (const element of document.querySelectorAll("*")) judged.add(findShape(element));
  for (const { id, nodes } of incomplete)
    for (const { element } of nodes) judged.delete((id === "color-contrast" ? findLook : findShape)(element));
  return {
    violations: violations.map(({ id, help, nodes }) => id + ": " + help + ": " + nodes.map(({ html }) => html).join(" ")),
    judged: [...judged].filter((look) => !knownLooks.has(look)),
  };
}`;
