import { showMatches, showType } from "./documentation.js";
import { findPlace, layOut } from "./language.js";

// Sends documents in the name of the person who is signed in, with a short-lived token that the session is exchanged for.

const element = (id) => document.getElementById(id);
const [query, variables, answer, suggestions] = ["query", "variables", "answer", "suggestions"].map(element);
const firstQuery = `# The newest open requests
query {
  requests(first: 10, view: open, order: {field: requestId, direction: desc}) {
    totalCount
    nodes {
      requestId
      subject
      status
      requestedFor { name }
    }
  }
}`;

let token = null;
let csrf = "";

async function readSession() {
  const reply = await fetch("/session-api/me");
  if (reply.status === 401) location.assign(`/sign_in?return_to=${encodeURIComponent("/graphql")}`);
  return reply.json();
}

async function getToken() {
  if (token !== null && token.until > Date.now()) return token.text;
  const reply = await fetch("/session-api/access-token", { method: "POST", headers: { "X-CSRF-Token": csrf } });
  if (!reply.ok) throw new Error(`Couldn't get an access token (${reply.status})`);
  const { access_token: text, expires_in: seconds } = await reply.json();
  token = { text, until: Date.now() + (seconds - 30) * 1000 };
  return text;
}

async function send(body) {
  const headers = {
    Authorization: `Bearer ${await getToken()}`,
    "Content-Type": "application/json",
    account: element("account").value,
  };
  return fetch("/graphql", { method: "POST", headers, body: JSON.stringify(body) });
}

async function run() {
  keep();
  try {
    const given = variables.value.trim();
    const started = performance.now();
    const reply = await send({ query: query.value, variables: given === "" ? {} : JSON.parse(given) });
    const text = await reply.text();
    const [cost, left] = ["X-CostLimit-Cost", "X-CostLimit-Remaining"].map((name) => reply.headers.get(name));
    element("cost").textContent =
      `${reply.status}, ${Math.round(performance.now() - started)} ms, ${cost} points, ${left} left`;
    answer.textContent = indent(text);
  } catch (error) {
    answer.textContent = String(error);
  }
}

function indent(text) {
  try {
    return JSON.stringify(JSON.parse(text), null, 2);
  } catch {
    return text;
  }
}

const keep = () => {
  localStorage.setItem("graphql query", query.value);
  localStorage.setItem("graphql variables", variables.value);
};

const schema = { types: new Map(), queryType: "Query", mutationType: "Mutation" };
const typeReference = "{ kind name ofType { kind name ofType { kind name ofType { kind name } } } }";
const inputs = `{ name description type ${typeReference} }`;

async function loadSchema() {
  const document = `{ __schema { types { kind name description fields { name description args ${inputs} type ${typeReference} } inputFields ${inputs} enumValues { name } interfaces { name } possibleTypes { name } } } }`;
  const { data } = await (await send({ query: document })).json();
  for (const type of data.__schema.types) if (!type.name.startsWith("__")) schema.types.set(type.name, type);
}

const showWanted = () =>
  showType(element("documentation"), schema.types, decodeURIComponent(location.hash.slice(1)), ["Query", "Mutation"]);

let chosen = 0;

function suggest() {
  const { type, word } = findPlace(query.value.slice(0, query.selectionStart), schema);
  const fields = schema.types.get(type)?.fields ?? [];
  const matching = fields.filter(({ name }) => name.toLowerCase().startsWith(word.toLowerCase())).slice(0, 50);
  chosen = 0;
  suggestions.replaceChildren(
    ...matching.map(({ name, description }, index) => {
      const item = Object.assign(document.createElement("div"), { textContent: name, title: description ?? "" });
      item.role = "option";
      item.ariaSelected = String(index === chosen);
      item.addEventListener("mousedown", (event) => {
        event.preventDefault();
        take(name, word);
      });
      return item;
    }),
  );
  suggestions.hidden = matching.length === 0;
}

function take(name, word) {
  const at = query.selectionStart;
  query.setRangeText(name, at - word.length, at, "end");
  suggestions.hidden = true;
}

function move(step) {
  const items = [...suggestions.children];
  chosen = (chosen + step + items.length) % items.length;
  for (const [index, item] of items.entries()) item.ariaSelected = String(index === chosen);
  items[chosen]?.scrollIntoView({ block: "nearest" });
}

query.addEventListener("keydown", (event) => {
  if (event.key === " " && event.ctrlKey) suggest();
  else if (suggestions.hidden) return;
  else if (event.key === "ArrowDown") move(1);
  else if (event.key === "ArrowUp") move(-1);
  else if (event.key === "Enter" || event.key === "Tab") {
    const { word } = findPlace(query.value.slice(0, query.selectionStart), schema);
    take(suggestions.children[chosen].textContent, word);
  } else if (event.key === "Escape") suggestions.hidden = true;
  else return;
  event.preventDefault();
});
query.addEventListener("input", () => {
  if (!suggestions.hidden) suggest();
});
query.addEventListener("blur", () => {
  suggestions.hidden = true;
});
addEventListener("keydown", (event) => {
  if (event.key !== "Enter" || !(event.ctrlKey || event.metaKey)) return;
  event.preventDefault();
  void run();
});
element("run").addEventListener("click", run);
element("prettify").addEventListener("click", () => {
  query.value = layOut(query.value);
});
element("search").addEventListener("input", () => {
  const words = element("search").value.trim();
  if (words === "") showWanted();
  else showMatches(element("documentation"), schema.types, words);
});
addEventListener("hashchange", showWanted);

query.value = localStorage.getItem("graphql query") ?? firstQuery;
variables.value = localStorage.getItem("graphql variables") ?? "";
const { accounts, person, csrf_token } = await readSession();
csrf = csrf_token;
element("account").replaceChildren(
  ...accounts.map(({ id, name }) => new Option(name, id, id === person.account, id === person.account)),
);
await loadSchema();
showWanted();
document.body.dataset.ready = "true";
