import { printNumber } from "./number.ts";
import type { Action, Named, Node, Operation, Payload } from "./tree.ts";

// Back to text, in the form the parser reads: parse(print(tree)) is the tree.

const escaped = (text: string): string => text.replaceAll("\\", "\\\\").replaceAll("'", "\\'").replaceAll("\n", "\\n");
const quoted = (text: string): string => `'${escaped(text)}'`;

// biome-ignore format: a table keeps its columns
const strength: Record<Node["kind"], number> = {
  choice: 0, or: 1, and: 2, comparison: 3, sum: 4, not: 6, minus: 6,
  member: 7, index: 7, number: 8, text: 8, constant: 8, list: 8, name: 8, call: 8,
};

/** Sums and products are one kind of node; their operators tell them apart. */
const strengthOf = (node: Node): number =>
  node.kind === "sum" && !["+", "-"].includes(node.rest[0]?.operator ?? "+") ? 5 : strength[node.kind];

function within(node: Node, least: number): string {
  return strengthOf(node) < least ? `(${printNode(node)})` : printNode(node);
}

const listOf = (nodes: readonly Node[]): string => nodes.map((node) => printNode(node)).join(", ");

export function printNode(node: Node): string {
  switch (node.kind) {
    case "number":
      return printNumber(node.value);
    case "text":
      return quoted(node.value);
    case "constant":
      return node.value === null ? "nil" : String(node.value);
    case "list":
      return `[${node.items.map((item) => (item === null ? "" : printNode(item))).join(", ")}]`;
    case "name":
      return node.name;
    case "call":
      return `${node.name}(${listOf(node.args)})`;
    case "member":
      return `${within(node.of, 7)}.${node.name}${node.args === null ? "" : `(${listOf(node.args)})`}`;
    case "index":
      return `${within(node.of, 7)}[${indexText(node.index)}]`;
    case "not":
      return `!${within(node.of, 6)}`;
    case "minus":
      return `-${within(node.of, 6)}`;
    case "sum": {
      const least = strengthOf(node) + 1;
      return (
        within(node.first, least) + node.rest.map((step) => ` ${step.operator} ${within(step.operand, least)}`).join("")
      );
    }
    case "comparison":
      return `${within(node.left, 4)} ${node.operator} ${within(node.right, 4)}`;
    case "and":
      return node.parts.map((part) => within(part, 3)).join(" and ");
    case "or":
      return node.parts.map((part) => within(part, 2)).join(" or ");
    case "choice":
      return `${within(node.test, 1)} then ${printNode(node.yes)} else ${printNode(node.no)}`;
  }
}

/** A field called first or last is not the first or the last. */
const indexText = (index: Node | "first" | "last"): string => {
  if (typeof index === "string") return index;
  const text = printNode(index);
  return text === "first" || text === "last" ? `(${text})` : text;
};

export const printExpressions = (list: readonly Named[]): string =>
  list.map(({ name, value }) => `${name}: ${printNode(value)}`).join("\n");

export const printActions = (list: readonly Action[]): string =>
  list.map((action, index) => `a${index + 1}: ${printAction(action)}`).join("\n");

function printAction(action: Action): string {
  switch (action.kind) {
    case "change":
      return `${action.target === null ? "" : `update ${within(action.target, 7)} `}${printOperation(action.operation)}`;
    case "webhook":
      return `call webhook ${quoted(action.name)}${action.payload === null ? "" : ` with payload ${printPayload(action.payload)}`}`;
    case "email":
      return `send email to ${printNode(action.to)} subject ${quoted(action.subject)} body ${quoted(action.body)}`;
    case "start":
      return `after ${printNode(action.after)} start ${quoted(action.rule)}`;
  }
}

const printPayload = (payload: Payload): string =>
  "names" in payload
    ? quoted(payload.names)
    : `{ ${payload.pairs.map(({ name, value }) => `${name}: ${printNode(value)}`).join(", ")} }`;

function printOperation(operation: Operation): string {
  switch (operation.kind) {
    case "set":
      return `set ${operation.field.join(".")} = ${printNode(operation.value)}`;
    case "clear":
      return `clear ${operation.field.join(".")}`;
    case "add":
      return `add ${printNode(operation.value)} to ${operation.field.join(".")}`;
    case "remove":
      return `remove ${printNode(operation.value)} from ${operation.field.join(".")}`;
    case "note": {
      const files = operation.attachments === null ? "" : ` with attachments ${printNode(operation.attachments)}`;
      return `add ${operation.internal ? "internal " : ""}note ${quoted(operation.text)}${files}`;
    }
  }
}
