import { printNumber } from "./number.ts";
import type { Action, NamedExpression, Node, Operation, Payload } from "./syntax-tree.ts";

// Prints a tree in the form that the parser reads: parse(print(tree)) is the tree.

const escapeText = (text: string): string =>
  text.replaceAll("\\", "\\\\").replaceAll("'", "\\'").replaceAll("\n", "\\n");
const printText = (text: string): string => `'${escapeText(text)}'`;

// biome-ignore format: a table keeps its columns
const precedence: Record<Node["kind"], number> = {
  choice: 0, or: 1, and: 2, comparison: 3, sum: 4, not: 6, minus: 6,
  member: 7, index: 7, number: 8, text: 8, constant: 8, list: 8, name: 8, call: 8,
};

/** Sums and products are one kind of node, distinguished by their operators. */
const getPrecedence = (node: Node): number =>
  node.kind === "sum" && !["+", "-"].includes(node.rest[0]?.operator ?? "+") ? 5 : precedence[node.kind];

function printOperand(node: Node, least: number): string {
  return getPrecedence(node) < least ? `(${printNode(node)})` : printNode(node);
}

const printList = (nodes: readonly Node[]): string => nodes.map((node) => printNode(node)).join(", ");

export function printNode(node: Node): string {
  switch (node.kind) {
    case "number":
      return printNumber(node.value);
    case "text":
      return printText(node.value);
    case "constant":
      return node.value === null ? "nil" : String(node.value);
    case "list":
      return `[${node.items.map((item) => (item === null ? "" : printNode(item))).join(", ")}]`;
    case "name":
      return node.name;
    case "call":
      return `${node.name}(${printList(node.args)})`;
    case "member":
      return `${printOperand(node.of, 7)}.${node.name}${node.args === null ? "" : `(${printList(node.args)})`}`;
    case "index":
      return `${printOperand(node.of, 7)}[${printIndex(node.index)}]`;
    case "not":
      return `!${printOperand(node.of, 6)}`;
    case "minus":
      return `-${printOperand(node.of, 6)}`;
    case "sum": {
      const least = getPrecedence(node) + 1;
      return (
        printOperand(node.first, least) +
        node.rest.map((step) => ` ${step.operator} ${printOperand(step.operand, least)}`).join("")
      );
    }
    case "comparison":
      return `${printOperand(node.left, 4)} ${node.operator} ${printOperand(node.right, 4)}`;
    case "and":
      return node.parts.map((part) => printOperand(part, 3)).join(" and ");
    case "or":
      return node.parts.map((part) => printOperand(part, 2)).join(" or ");
    case "choice":
      return `${printOperand(node.test, 1)} then ${printNode(node.yes)} else ${printNode(node.no)}`;
  }
}

/** Quotes a field called first or last, which would otherwise mean the first or last element. */
const printIndex = (index: Node | "first" | "last"): string => {
  if (typeof index === "string") return index;
  const text = printNode(index);
  return text === "first" || text === "last" ? `(${text})` : text;
};

export const printExpressions = (list: readonly NamedExpression[]): string =>
  list.map(({ name, value }) => `${name}: ${printNode(value)}`).join("\n");

export const printActions = (list: readonly Action[]): string =>
  list.map((action, index) => `a${index + 1}: ${printAction(action)}`).join("\n");

function printAction(action: Action): string {
  switch (action.kind) {
    case "change":
      return `${action.target === null ? "" : `update ${printOperand(action.target, 7)} `}${printOperation(action.operation)}`;
    case "webhook":
      return `call webhook ${printText(action.name)}${action.payload === null ? "" : ` with payload ${printPayload(action.payload)}`}`;
    case "email":
      return `send email to ${printNode(action.to)} subject ${printText(action.subject)} body ${printText(action.body)}`;
    case "start":
      return `after ${printNode(action.after)} start ${printText(action.rule)}`;
  }
}

const printPayload = (payload: Payload): string =>
  "names" in payload
    ? printText(payload.names)
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
      return `add ${operation.internal ? "internal " : ""}note ${printText(operation.text)}${files}`;
    }
  }
}
