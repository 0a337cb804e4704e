import type { Attribute } from "../schema/attribute.ts";
import type { AttributePath } from "../schema/attribute-path.ts";

/** `ne` is the negation of `eq`, so that it also holds for resources without the attribute. */
export type Operator = "eq" | "co" | "sw" | "ew" | "gt" | "ge" | "lt" | "le";

/**
 * A filter whose names are resolved. A test of a multi-valued attribute is an `element`, whose part tests one element;
 * `present` and `compare` test single values only.
 */
export type Filter =
  | { kind: "and" | "or"; parts: readonly Filter[] }
  | { kind: "not"; part: Filter }
  | { kind: "present"; path: AttributePath }
  | { kind: "compare"; path: AttributePath; operator: Operator; value: string | boolean | Date }
  | { kind: "element"; path: AttributePath; part: Filter };

/** The attribute whose values a path leads to. */
export const getLastAttribute = (path: AttributePath): Attribute => path.member ?? path.attribute;
