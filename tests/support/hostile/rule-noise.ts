import type { Noise } from "./noise.ts";

// Texts that resemble expressions of automation rules: mostly well-formed, with every operator, and some deep or long.

const names = [
  "request",
  "subject",
  "status",
  "team",
  "member",
  "created_at",
  "custom_fields",
  "now",
  "x",
  "note",
  "text",
];
const functions = [
  "count",
  "first",
  "last",
  "lower",
  "upper",
  "matches",
  "format",
  "sum",
  "min",
  "max",
  "contains",
  "duration",
];
const operators = [
  "=",
  "!=",
  "<",
  "<=",
  ">",
  ">=",
  "~",
  "!~",
  "+",
  "-",
  "*",
  "/",
  "%",
  "and",
  "or",
  "?",
  ":",
  "in",
  "is",
];
const patterns = ["(a+)+$", "(.*)*x", "[", "(?<n>a)", "\\1", "a{1,1000}", "(?=x)", "\\p{L}+", "x|".repeat(20)];

export function buildRuleText(noise: Noise): string {
  const kind = noise.below(30);
  if (kind === 0) return noise.text();
  if (kind === 1) return "(".repeat(noise.below(3000)) + term(noise, 1);
  if (kind === 2) return `${term(noise, 1)} ${noise.pick(operators)} `.repeat(noise.below(400));
  if (kind === 3) return `[${"1,".repeat(noise.below(3000))}1]`;
  if (kind === 4) return `${noise.pick(names)}${".x".repeat(noise.below(2000))}`;
  return term(noise, 4);
}

function term(noise: Noise, depth: number): string {
  if (depth === 0) return leaf(noise);
  const inner = () => term(noise, depth - 1);
  switch (noise.below(9)) {
    case 0:
      return `(${inner()})`;
    case 1:
      return `${noise.pick(functions)}(${noise.times(3, inner).join(", ")})`;
    case 2:
      return `${inner()} ? ${inner()} : ${inner()}`;
    case 3:
      return `${noise.pick(["!", "-", "not "])}${inner()}`;
    case 4:
      return `${inner()}.${noise.pick(names)}`;
    case 5:
      return `${inner()} ${noise.pick(["~", "!~"])} '${noise.pick(patterns)}'`;
    case 6:
      return `[${noise.times(4, inner).join(", ")}][${inner()}]`;
    default:
      return `${inner()} ${noise.pick(operators)} ${inner()}`;
  }
}

const leaf = (noise: Noise): string =>
  noise.pick([
    noise.pick(names),
    String(noise.number()),
    `'${noise.text().replaceAll("'", "")}'`,
    `"${noise.text()}"`,
    "null",
    "true",
    "2025-03-03",
    "{a: 1}",
    "",
  ]);

export function buildRuleAction(noise: Noise): string {
  const value = () => (noise.chance(0.5) ? `'${noise.text().replaceAll("'", "")} {{${leaf(noise)}}}'` : term(noise, 2));
  const action = noise.pick([
    `set ${noise.pick(names)} = ${value()}`,
    `update ${noise.pick(names)} set ${noise.pick(names)} = ${value()}`,
    `add note ${value()}`,
    `update ${noise.pick(names)} add note ${value()}`,
    `call ${value()}`,
    noise.text(),
  ]);
  return `${noise.pick(["a1", "a2", noise.text()])}: ${action}`;
}
