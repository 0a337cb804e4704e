// The explorer's knowledge of the language: the type at a position of a document, and the formatting of a document.

const tokens = /#[^\n]*|"""[\s\S]*?(?:"""|$)|"(?:[^"\\\n]|\\.)*"?|\.\.\.|[A-Za-z_]\w*|[{}()[\]:$@!=|]|-?\d[\d.eE+-]*/g;

export const unwrap = (type) => (type.ofType === null || type.ofType === undefined ? type.name : unwrap(type.ofType));
export const print = (type) =>
  type.kind === "NON_NULL" ? `${print(type.ofType)}!` : type.kind === "LIST" ? `[${print(type.ofType)}]` : type.name;

const findField = (types, type, name) => types.get(type)?.fields?.find((field) => field.name === name);

/** The object type whose fields are valid at the end of the text, and the beginning of a name there. */
export function findPlace(text, { types, queryType, mutationType }) {
  const stack = [];
  let [next, last, depth] = [queryType, "", 0];
  const word = /[A-Za-z_]\w*$/.exec(text)?.[0] ?? "";
  for (const [token] of text.slice(0, text.length - word.length).matchAll(tokens)) {
    if (token.startsWith("#")) continue;
    if (token === "(") depth++;
    else if (token === ")") depth--;
    else if (depth > 0) continue;
    else if (token === "{") {
      stack.push(next);
      next = undefined;
    } else if (token === "}") {
      stack.pop();
      next = stack.length === 0 ? queryType : undefined;
    } else if (/^[A-Za-z_]/.test(token)) {
      if (last === "on") next = token;
      else if (stack.length === 0) next = token === "mutation" ? mutationType : queryType;
      else {
        const field = findField(types, stack.at(-1), token);
        if (field !== undefined) next = unwrap(field.type);
      }
    }
    last = token;
  }
  return { type: depth > 0 ? undefined : stack.at(-1), word };
}

/** One field per line, indented by its level; arguments stay on the line of their field. */
export function layOut(text) {
  let [result, level, depth] = ["", 0, 0];
  const line = () => `\n${"  ".repeat(level)}`;
  const isName = (token) => /^[A-Za-z_$@"-]|^\d|^\.\.\.|^\[/.test(token);
  let last = "";
  for (const [token] of text.matchAll(tokens)) {
    if (token === "{" && depth === 0) {
      level++;
      result += `${result === "" || result.endsWith(" ") ? "" : " "}{${line()}`;
    } else if (token === "}" && depth === 0) {
      level = Math.max(0, level - 1);
      result = `${result.trimEnd()}${line()}}${level === 0 ? "\n" : line()}`;
    } else {
      if (token === "(" || token === "{" || token === "[") depth++;
      const isInside = depth > 0;
      if (token.startsWith("#")) result += `${token}${line()}`;
      else if ([":", ","].includes(token)) result += `${token} `;
      else if (isInside) {
        const needsBlank = isName(token) && !/[([{$@!: ]$/.test(result) && last !== "$" && last !== "@";
        result += `${needsBlank ? (last === ":" ? "" : ", ") : ""}${token}`;
      } else if (level === 0 || ["on", "..."].includes(last) || token === "@" || last === "@" || last === ":")
        result += `${result === "" || /[\s@:]$/.test(result) ? "" : " "}${token}`;
      else result += `${/\s$/.test(result) ? "" : line()}${token}`;
      if (token === ")" || (token === "}" && isInside) || token === "]") depth = Math.max(0, depth - 1);
    }
    last = token;
  }
  return result.trim();
}
