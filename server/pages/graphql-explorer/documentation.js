import { print, unwrap } from "./language.js";

// The documentation of the schema: what a type has, and everything whose name contains some letters.

const create = (tag, properties = {}, ...children) => {
  const element = Object.assign(document.createElement(tag), properties);
  element.append(...children);
  return element;
};
const link = (name, text = name) => create("a", { href: `#${name}`, textContent: text });

const describeType = (type) => {
  const text = print(type);
  const name = unwrap(type);
  const at = text.indexOf(name);
  return [text.slice(0, at), link(name), text.slice(at + name.length)];
};

const describeArguments = (args = []) =>
  args.length === 0
    ? []
    : [
        "(",
        ...args.flatMap((each, index) => [`${index === 0 ? "" : ", "}${each.name}: `, ...describeType(each.type)]),
        ")",
      ];

function describeField(field) {
  const head = create(
    "dt",
    {},
    create("code", {}, field.name, ...describeArguments(field.args), ": ", ...describeType(field.type)),
  );
  return [head, create("dd", { className: "note", textContent: field.description ?? "" })];
}

export function showType(place, types, name, starts) {
  const type = types.get(name);
  if (type === undefined) {
    const list = create("ul", {}, ...starts.map((each) => create("li", {}, link(each))));
    place.replaceChildren(create("h2", { textContent: "Documentation" }), list);
    return;
  }
  const values = (type.enumValues ?? []).map(({ name: value }) =>
    create("li", {}, create("code", { textContent: value })),
  );
  const others = [...(type.interfaces ?? []), ...(type.possibleTypes ?? [])];
  place.replaceChildren(
    create("p", {}, link("", "All types")),
    create("h2", { textContent: name }),
    create("p", { className: "note", textContent: type.description ?? "" }),
    create("p", {}, ...others.flatMap((each) => [link(each.name), " "])),
    create("dl", {}, ...[...(type.fields ?? []), ...(type.inputFields ?? [])].flatMap(describeField)),
    create("ul", {}, ...values),
  );
}

/** At most fifty: more letters find fewer. */
export function showMatches(place, types, words) {
  const wanted = words.toLowerCase();
  const found = [];
  for (const { name, fields, inputFields } of types.values()) {
    if (name.toLowerCase().includes(wanted)) found.push([name, name]);
    for (const field of [...(fields ?? []), ...(inputFields ?? [])])
      if (field.name.toLowerCase().includes(wanted)) found.push([name, `${name}.${field.name}`]);
  }
  found.sort(([, a], [, b]) => a.length - b.length || (a < b ? -1 : 1));
  const entries = found.slice(0, 50).map(([name, text]) => create("li", {}, link(name, text)));
  place.replaceChildren(create("h2", { textContent: `${found.length} found` }), create("ul", {}, ...entries));
}
