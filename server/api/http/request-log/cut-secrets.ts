const names =
  "[\\w-]*(?:secret|password|passwd|token|authorization|credential|api_?key|private_key|pem|cookie|code|signature)[\\w-]*";

// A value may be cut off at the end of the text.
const member = new RegExp(
  `("${names}"\\s*:\\s*)(?:"(?:\\\\.|[^"\\\\])*"?|\\{[^{}]*\\}?|\\[[^\\][]*\\]?|[^",}\\]\\s]+)`,
  "gi",
);
const parameter = new RegExp(`([?&;]|^)(${names})=[^&;#\\s]*`, "gi");
const bearer = /\b(bearer|basic)\s+[\w.~+/=-]+/gi;

/** A body or an address without the values of members and parameters whose names say that they are secret. */
export const cutSecrets = (text: string): string =>
  text.replace(member, '$1"…"').replace(parameter, "$1$2=…").replace(bearer, "$1 …");
