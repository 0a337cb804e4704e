import type { Numeric } from "./number.ts";

// The syntax tree: AL2. A chain of operators of equal precedence is one node of any length.

export type ComparisonOperator = "=" | "!=" | "<" | "<=" | ">" | ">=" | "in" | "not_in" | "~" | "!~";
export type OperatorTerm = { operator: "+" | "-" | "*" | "/" | "%"; operand: Node };

type NodeVariant =
  | { kind: "number"; value: Numeric }
  | { kind: "text"; value: string }
  | { kind: "constant"; value: true | false | null }
  | { kind: "list"; items: readonly (Node | null)[] }
  | { kind: "name"; name: string }
  | { kind: "call"; name: string; args: readonly Node[] }
  | { kind: "member"; of: Node; name: string; args: readonly Node[] | null }
  | { kind: "index"; of: Node; index: Node | "first" | "last" }
  | { kind: "not"; of: Node }
  | { kind: "minus"; of: Node }
  | { kind: "sum"; first: Node; rest: readonly OperatorTerm[] }
  | { kind: "comparison"; operator: ComparisonOperator; left: Node; right: Node }
  | { kind: "and"; parts: readonly Node[] }
  | { kind: "or"; parts: readonly Node[] }
  | { kind: "choice"; test: Node; yes: Node; no: Node };

/** `at`: the position in the text */
export type Node = NodeVariant & { at: number };

export type NamedExpression = { name: string; at: number; value: Node };

export type Operation =
  | { kind: "set"; field: readonly string[]; value: Node }
  | { kind: "clear"; field: readonly string[] }
  | { kind: "note"; internal: boolean; text: string; attachments: Node | null }
  | { kind: "add"; value: Node; field: readonly string[] }
  | { kind: "remove"; value: Node; field: readonly string[] };

export type Payload = { names: string } | { pairs: readonly { name: string; at: number; value: Node }[] };

type ActionVariant =
  | { kind: "change"; target: Node | null; operation: Operation }
  | { kind: "webhook"; name: string; payload: Payload | null }
  | { kind: "email"; to: Node; subject: string; body: string }
  | { kind: "start"; after: Node; rule: string };

/** `end`: where the search for the position of an error in the texts and fields of the action starts */
export type Action = ActionVariant & { at: number };
