import { partOf } from "./part.js";

// Draws the page: contents on one side, the chosen part of the document on the other. A file of its own, because the
// page allows no script inside itself.

const element = (id) => document.getElementById(id);
const wide = matchMedia("(min-width: 60rem)");
const whole = await read("/v1/openapi.json");
const operations = Object.entries(whole.paths).flatMap(([path, item]) =>
  Object.entries(item)
    .filter(([method]) => method !== "parameters")
    .map(([method, operation]) => ({ path, method, ...operation })),
);

async function read(address) {
  const answer = await fetch(address);
  if (answer.ok) return answer.json();
  element("reference").textContent =
    `The document cannot be read now (${answer.status}). Please try again in a minute.`;
  throw new Error(`${address}: ${answer.status}`);
}

/** #token, #/People or #/People/listPeople; anything else is the introduction. No element may be called so: Swagger UI
 * would take a click for a wish to scroll there. */
function wanted() {
  const isToken = location.hash === "#token";
  try {
    const [, tag, operationId] = location.hash.split("/").map(decodeURIComponent);
    return whole.tags.some(({ name }) => name === tag) ? { isToken, tag, operationId } : { isToken };
  } catch {
    return { isToken }; // not an address of ours
  }
}

const addressOf = (...names) => `#${names.map((name) => `/${encodeURIComponent(name)}`).join("")}`;

const introduction = "#introduction";

let shown = wanted().tag;
const ui = globalThis.SwaggerUIBundle({
  spec: partOf(whole, shown),
  dom_id: "#reference",
  layout: "BaseLayout",
  presets: [globalThis.SwaggerUIBundle.presets.apis],
  docExpansion: "list",
  defaultModelsExpandDepth: -1,
  displayRequestDuration: true,
  tryItOutEnabled: true,
  validatorUrl: null, // the default would send the document to a third-party server
  onComplete: show,
});

function show() {
  const { isToken, tag, operationId } = wanted();
  document.title = `${isToken ? "How to get a token" : (tag ?? "Introduction")} - Steward API reference`;
  element("getting-a-token").hidden = !isToken;
  element("reference").hidden = isToken;
  element("contents").open = wide.matches;
  for (const link of element("tags").querySelectorAll("a"))
    link.ariaCurrent = !isToken && link.hash === (tag === undefined ? introduction : addressOf(tag)) ? "page" : null;
  if (!isToken && tag !== shown) {
    ui.specActions.updateJsonSpec(partOf(whole, tag));
    shown = tag;
  }
  if (operationId === undefined) scrollTo(0, 0);
  else open(tag, operationId);
}

function open(tag, operationId) {
  ui.layoutActions.show(["operations", tag, operationId], true);
  requestAnimationFrame(() => element(`operations-${tag.replaceAll(" ", "_")}-${operationId}`)?.scrollIntoView());
}

function entry(text, address, method = "") {
  const link = Object.assign(document.createElement("a"), { href: address, textContent: text });
  if (method !== "") link.dataset.method = method;
  const item = document.createElement("li");
  item.append(link);
  return item;
}

function find() {
  const words = element("search").value.toLowerCase().split(/\s+/).filter(Boolean);
  const matching = operations.filter(({ path, summary, operationId }) =>
    words.every((word) => `${path} ${summary} ${operationId}`.toLowerCase().includes(word)),
  );
  const entries = matching
    .slice(0, 40)
    .map(({ summary, method, tags: [tag], operationId }) => entry(summary, addressOf(tag, operationId), method));
  element("found").replaceChildren(...entries);
  element("found").hidden = words.length === 0;
  element("tags").hidden = words.length > 0;
}

element("tags").replaceChildren(
  entry("Introduction", introduction),
  ...whole.tags.map(({ name }) => entry(name, addressOf(name))),
);
element("search").addEventListener("input", find);
addEventListener("hashchange", show);
