import { invalidFilter } from "../errors.ts";
import type { Attribute, Resource } from "../schema/attribute.ts";
import { findAttribute } from "../schema/attribute.ts";
import { type AttributePath, resolveName } from "../schema/attribute-path.ts";
import { type Filter, getLastAttribute, type Operator } from "./filter.ts";
import { readTokens, type Token } from "./tokens.ts";

// The filters of RFC 7644, section 3.4.2.2, and what known clients send beyond them: quoted booleans, and
// emails[type eq "work"].value eq "a@b".

const limits = { characters: 4096, depth: 16, tests: 100 };
const operators: ReadonlySet<string> = new Set(["eq", "ne", "co", "sw", "ew", "gt", "ge", "lt", "le"]);
const textOperators: ReadonlySet<string> = new Set(["co", "sw", "ew"]);

/** Finds the attribute of a name: of a resource, or of an element of one of its lists. */
type FindPath = (name: string) => AttributePath | null;

export function parseFilter(resource: Resource, text: string): Filter {
  if (text.length > limits.characters)
    throw invalidFilter(`A filter cannot have more than ${limits.characters} characters.`);
  const parser = new FilterParser(readTokens(text));
  const filter = parser.readAlternatives((name) => {
    const resolved = resolveName(resource, name);
    return resolved.kind === "attribute" ? resolved : null;
  });
  parser.expectEnd();
  return filter;
}

/** A filter in brackets behind the name of a list: [type eq "work"]. */
export function parseElementFilter(list: Attribute, tokens: readonly Token[]): Filter {
  const parser = new FilterParser(tokens);
  const filter = parser.readAlternatives(findMemberOf(list));
  parser.expectEnd();
  return filter;
}

const findMemberOf =
  (list: Attribute): FindPath =>
  (name) => {
    const member = findAttribute(list.members ?? [], name);
    return member === undefined ? null : { extension: null, attribute: member, member: null };
  };

class FilterParser {
  private readonly tokens: readonly Token[];
  private position = 0;
  private depth = 0;
  private tests = 0;

  constructor(tokens: readonly Token[]) {
    this.tokens = tokens;
  }

  readAlternatives(findPath: FindPath): Filter {
    if (++this.depth > limits.depth)
      throw invalidFilter(`Brackets in a filter cannot be nested deeper than ${limits.depth} levels.`);
    const filter = this.readJoined("or", () => this.readJoined("and", () => this.readTest(findPath)));
    this.depth--;
    return filter;
  }

  expectEnd(): void {
    if (this.position < this.tokens.length) throw invalidFilter(`"${this.describeNext()}" is not expected here.`);
  }

  private readJoined(word: "and" | "or", read: () => Filter): Filter {
    const parts = [read()];
    while (this.takeWord(word)) parts.push(read());
    return parts.length === 1 ? (parts[0] as Filter) : { kind: word, parts };
  }

  private readTest(findPath: FindPath): Filter {
    if (this.takeWord("not")) {
      if (++this.depth > limits.depth) throw invalidFilter("The filter has too many negations.");
      const part = this.readTest(findPath);
      this.depth--;
      return { kind: "not", part };
    }
    if (this.takeSymbol("(")) {
      const filter = this.readAlternatives(findPath);
      this.expectSymbol(")");
      return filter;
    }
    if (++this.tests > limits.tests) throw invalidFilter(`A filter cannot have more than ${limits.tests} tests.`);
    return this.readAttributeTest(findPath);
  }

  private readAttributeTest(findPath: FindPath): Filter {
    const path = this.readPath(findPath);
    if (!this.takeSymbol("[")) return this.readComparison(path);
    if (path.member !== null || path.attribute.multiValued === undefined)
      throw invalidFilter(`"${path.attribute.name}" is not a list.`);
    const inElement = findMemberOf(path.attribute);
    const part = this.readAlternatives(inElement);
    this.expectSymbol("]");
    if (!this.takeSymbol(".")) return { kind: "element", path, part };
    const comparison = this.readComparison(this.readPath(inElement));
    return { kind: "element", path, part: { kind: "and", parts: [part, comparison] } };
  }

  private readPath(findPath: FindPath): AttributePath {
    const token = this.tokens[this.position];
    if (token?.kind !== "name")
      throw invalidFilter(`The name of an attribute is expected, not "${this.describeNext()}".`);
    const path = findPath(token.text);
    if (path === null) throw invalidFilter(`There is no attribute "${token.text}".`);
    this.position++;
    return path;
  }

  private readComparison(path: AttributePath): Filter {
    const token = this.tokens[this.position];
    const word = token?.kind === "name" ? token.text.toLowerCase() : "";
    if (word !== "pr" && !operators.has(word))
      throw invalidFilter(`An operator is expected, not "${this.describeNext()}".`);
    this.position++;
    if (word === "pr") return testElements(path, (inner) => ({ kind: "present", path: inner }), true);
    const value = this.tokens[this.position];
    if (value?.kind !== "value") throw invalidFilter(`A value is expected, not "${this.describeNext()}".`);
    this.position++;
    return buildComparison(path, word as Operator | "ne", value.value);
  }

  private takeWord(word: string): boolean {
    const token = this.tokens[this.position];
    if (token?.kind !== "name" || token.text.toLowerCase() !== word) return false;
    this.position++;
    return true;
  }

  private takeSymbol(symbol: string): boolean {
    const token = this.tokens[this.position];
    if (token?.kind !== "symbol" || token.text !== symbol) return false;
    this.position++;
    return true;
  }

  private expectSymbol(symbol: string): void {
    if (!this.takeSymbol(symbol)) throw invalidFilter(`"${symbol}" is expected, not "${this.describeNext()}".`);
  }

  private describeNext(): string {
    const token = this.tokens[this.position];
    if (token === undefined) return "the end";
    return token.kind === "value" ? JSON.stringify(token.value) : token.text;
  }
}

function buildComparison(path: AttributePath, word: Operator | "ne", given: string | number | boolean | null): Filter {
  if (word === "ne") return { kind: "not", part: buildComparison(path, "eq", given) };
  if (given === null) {
    if (word !== "eq") throw invalidFilter(`"${word}" needs a value.`);
    return { kind: "not", part: testElements(path, (inner) => ({ kind: "present", path: inner }), true) };
  }
  return testElements(path, (inner) => {
    const attribute = getLastAttribute(inner);
    return { kind: "compare", path: inner, operator: word, value: readValue(attribute, word, given) };
  });
}

/** The test of a list, or of a member of its elements, as a test of one element. */
function testElements(path: AttributePath, build: (path: AttributePath) => Filter, isWhole = false): Filter {
  const { attribute, member, extension } = path;
  if (attribute.multiValued === undefined) {
    if (attribute.members === undefined || member !== null || isWhole) return build(path);
    return build({ extension, attribute, member: findValueMember(attribute) });
  }
  const list: AttributePath = { extension, attribute, member: null };
  if (member === null && isWhole) return build(list);
  const inner = member ?? findValueMember(attribute);
  return { kind: "element", path: list, part: build({ extension: null, attribute: inner, member: null }) };
}

/** A complex attribute is compared by its value. */
function findValueMember(attribute: Attribute): Attribute {
  const member = findAttribute(attribute.members ?? [], "value");
  if (member === undefined) throw invalidFilter(`"${attribute.name}" has members: name the one to compare.`);
  return member;
}

function readValue(
  attribute: Attribute,
  operator: Operator,
  given: string | number | boolean,
): string | boolean | Date {
  if (attribute.type === "boolean") {
    if (operator !== "eq") throw invalidFilter(`"${operator}" does not apply to "${attribute.name}".`);
    const word = String(given).toLowerCase();
    if (word !== "true" && word !== "false") throw invalidFilter(`"${attribute.name}" is true or false.`);
    return word === "true";
  }
  if (attribute.type === "dateTime") {
    if (textOperators.has(operator)) throw invalidFilter(`"${operator}" does not apply to "${attribute.name}".`);
    const moment = typeof given === "string" ? new Date(given) : new Date(Number.NaN);
    const year = moment.getUTCFullYear();
    if (Number.isNaN(year) || year < 1 || year > 9999) throw invalidFilter(`"${attribute.name}" is a date and time.`);
    return moment;
  }
  const text = String(given);
  if (text.includes("\u0000")) throw invalidFilter("A value cannot contain the character U+0000.");
  return text;
}
