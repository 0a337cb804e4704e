import { SyntaxProblem } from "./errors.ts";
import { type Token, tokenize } from "./lexer.ts";
import { parseNumber } from "./number.ts";
import type {
  Action,
  ComparisonOperator,
  NamedExpression,
  Node,
  Operation,
  OperatorTerm,
  Payload,
} from "./syntax-tree.ts";

// AM2, AM3, AL2: one method per line of the grammar.

export const reservedWords: ReadonlySet<string> = new Set([
  "or",
  "and",
  "in",
  "not_in",
  "then",
  "else",
  "true",
  "false",
  "nil",
]);
const comparisonOperators: ReadonlySet<string> = new Set(["=", "!=", "<", "<=", ">", ">=", "in", "not_in", "~", "!~"]);
const maxDepth = 100;
const maxPostfixSteps = 20;
const maxExpressions = 200;
const maxActions = 100;

export function parseCondition(source: string): Node | null {
  const parser = new Parser(tokenize(source));
  if (parser.isAtEnd()) return null;
  return parser.whole(() => parser.expression());
}

export function parseExpressions(source: string): NamedExpression[] {
  const lines = splitEntries(tokenize(source), () => true, "a name and a colon");
  const seen = new Set<string>();
  if (lines.length > maxExpressions)
    throw new SyntaxProblem(`more than ${maxExpressions} expressions`, lines[maxExpressions]?.label.at ?? 0);
  return lines.map(({ label, tokens }) => {
    if (reservedWords.has(label.text))
      throw new SyntaxProblem(`'${label.text}' cannot be the name of an expression`, label.at);
    if (seen.has(label.text)) throw new SyntaxProblem(`the name '${label.text}' is used twice`, label.at);
    seen.add(label.text);
    const parser = new Parser(tokens);
    return { name: label.text, at: label.at, value: parser.whole(() => parser.expression()) };
  });
}

export function parseActions(source: string): Action[] {
  const lines = splitEntries(tokenize(source), (text) => /^a\d+$/.test(text), "a label like a1:");
  if (lines.length > maxActions)
    throw new SyntaxProblem(`more than ${maxActions} actions`, lines[maxActions]?.label.at ?? 0);
  return lines.map(({ tokens }) => {
    const parser = new Parser(tokens);
    return parser.whole(() => parser.action());
  });
}

/** The same actions with the labels a1, a2, ... in their order. */
export function relabelActions(source: string): string {
  let [result, from] = ["", 0];
  splitEntries(tokenize(source), (text) => /^a\d+$/.test(text), "a label like a1:").forEach(({ label }, index) => {
    result += `${source.slice(from, label.at)}a${index + 1}`;
    from = label.end;
  });
  return result + source.slice(from);
}

type LabelledEntry = { label: Token; tokens: Token[] };

/** A line that starts with a label and a colon begins an entry; every other line continues the one before. */
function splitEntries(tokens: readonly Token[], isLabel: (text: string) => boolean, expected: string): LabelledEntry[] {
  const entries: LabelledEntry[] = [];
  for (let i = 0; i < tokens.length; i++) {
    const [token, next] = [tokens[i] as Token, tokens[i + 1]];
    const starts =
      token.startsLine &&
      token.kind === "name" &&
      next?.text === ":" &&
      next.kind === "operator" &&
      next.at === token.end &&
      isLabel(token.text);
    if (starts) {
      entries.push({ label: token, tokens: [] });
      i++;
    } else if (entries.length === 0) {
      if (token.kind !== "end")
        throw new SyntaxProblem(`unexpected ${describeToken(token)}, expected ${expected}`, token.at);
    } else entries.at(-1)?.tokens.push(token);
  }
  for (const { label, tokens: list } of entries) {
    const at = list.at(-1)?.end ?? label.end + 1;
    if (list.at(-1)?.kind !== "end") list.push({ kind: "end", text: "", at, end: at, startsLine: false });
  }
  return entries;
}

const describeToken = (token: Token): string =>
  token.kind === "end" ? "end" : token.kind === "text" ? "text" : `'${token.text}'`;

class Parser {
  private readonly tokens: readonly Token[];
  private position = 0;
  private depth = 0;

  constructor(tokens: readonly Token[]) {
    this.tokens = tokens;
  }

  private get token(): Token {
    return this.tokens[this.position] as Token;
  }
  private ahead(count: number): Token | undefined {
    return this.tokens[this.position + count];
  }
  isAtEnd(): boolean {
    return this.token.kind === "end";
  }

  whole<T>(read: () => T): T {
    const result = read();
    if (!this.isAtEnd()) throw this.unexpected("the end of the line or an operator");
    return result;
  }

  private unexpected(expected: string): SyntaxProblem {
    return new SyntaxProblem(`unexpected ${describeToken(this.token)}, expected ${expected}`, this.token.at);
  }

  private is(text: string): boolean {
    const { kind, text: found } = this.token;
    return found === text && (kind === "operator" || kind === "name");
  }
  private take(text: string): boolean {
    if (!this.is(text)) return false;
    this.position++;
    return true;
  }
  private demand(text: string): void {
    if (!this.take(text)) throw this.unexpected(`'${text}'`);
  }
  private name(expected: string): string {
    if (this.token.kind !== "name") throw this.unexpected(expected);
    return (this.tokens[this.position++] as Token).text;
  }
  private text(expected: string): string {
    if (this.token.kind !== "text") throw this.unexpected(expected);
    return (this.tokens[this.position++] as Token).text;
  }

  private deeper<T>(read: () => T): T {
    if (++this.depth > maxDepth) throw new SyntaxProblem("nested too deeply", this.token.at);
    try {
      return read();
    } finally {
      this.depth--;
    }
  }

  expression(): Node {
    return this.deeper(() => this.choice());
  }

  private choice(): Node {
    const test = this.disjunct();
    const { at } = test;
    const colon = this.is("?") ? ":" : this.is("then") ? "else" : null;
    if (colon === null) return test;
    this.position++;
    const yes = this.expression();
    this.demand(colon);
    return { kind: "choice", test, yes, no: this.expression(), at };
  }

  private disjunct(): Node {
    const parts = [this.conjunct()];
    while (this.take("or")) parts.push(this.conjunct());
    return parts.length === 1 ? (parts[0] as Node) : { kind: "or", parts, at: (parts[0] as Node).at };
  }

  private conjunct(): Node {
    const parts = [this.comparison()];
    while (this.take("and")) parts.push(this.comparison());
    return parts.length === 1 ? (parts[0] as Node) : { kind: "and", parts, at: (parts[0] as Node).at };
  }

  private comparison(): Node {
    const left = this.sum();
    const { kind, text } = this.token;
    if ((kind !== "operator" && kind !== "name") || !comparisonOperators.has(text)) return left;
    this.position++;
    return { kind: "comparison", operator: text as ComparisonOperator, left, right: this.sum(), at: left.at };
  }

  private chain(operators: readonly string[], read: () => Node): Node {
    const first = read();
    const rest: OperatorTerm[] = [];
    for (;;) {
      const operator = operators.find((one) => this.is(one));
      if (operator === undefined) break;
      this.position++;
      rest.push({ operator: operator as OperatorTerm["operator"], operand: read() });
    }
    return rest.length === 0 ? first : { kind: "sum", first, rest, at: first.at };
  }

  private sum(): Node {
    return this.chain(["+", "-"], () => this.product());
  }

  private product(): Node {
    return this.chain(["*", "/", "%"], () => this.unary());
  }

  private unary(): Node {
    const { at } = this.token;
    if (this.take("!")) return this.deeper(() => ({ kind: "not", of: this.unary(), at }));
    if (this.take("-")) return this.deeper(() => ({ kind: "minus", of: this.unary(), at }));
    return this.postfix();
  }

  postfix(): Node {
    let node = this.primary();
    for (let steps = 0; ; steps++) {
      const { at } = this.token;
      if (this.is(".") || this.is("["))
        if (steps >= maxPostfixSteps) throw new SyntaxProblem(`more than ${maxPostfixSteps} steps`, at);
      if (this.take(".")) {
        const name = this.name("the name of a member");
        node = { kind: "member", of: node, name, args: this.is("(") ? this.args() : null, at };
      } else if (this.take("[")) {
        const word = this.token.text;
        const isWord =
          this.token.kind === "name" && (word === "first" || word === "last") && this.ahead(1)?.text === "]";
        if (isWord) this.position++;
        const index = isWord ? (word as "first" | "last") : this.expression();
        this.demand("]");
        node = { kind: "index", of: node, index, at };
      } else return node;
    }
  }

  private args(): Node[] {
    this.demand("(");
    const list: Node[] = [];
    if (this.take(")")) return list;
    do list.push(this.expression());
    while (this.take(","));
    this.demand(")");
    return list;
  }

  private primary(): Node {
    const { kind, text, at } = this.token;
    if (kind === "text") {
      this.position++;
      return { kind: "text", value: text, at };
    }
    if (kind === "number") {
      const value = parseNumber(text);
      if (value === null) throw new SyntaxProblem("the number is too long", at);
      this.position++;
      return { kind: "number", value, at };
    }
    if (kind === "name" && (text === "true" || text === "false" || text === "nil")) {
      this.position++;
      return { kind: "constant", value: text === "nil" ? null : text === "true", at };
    }
    if (kind === "name" && !reservedWords.has(text)) {
      this.position++;
      return this.is("(") ? { kind: "call", name: text, args: this.args(), at } : { kind: "name", name: text, at };
    }
    if (this.take("(")) {
      const inner = this.expression();
      this.demand(")");
      return inner;
    }
    if (this.take("[")) return this.list(at);
    throw this.unexpected("an expression");
  }

  /** Nothing between two commas is a blank element. */
  private list(at: number): Node {
    const items: (Node | null)[] = [];
    do items.push(this.is(",") || this.is("]") ? null : this.expression());
    while (this.take(","));
    this.demand("]");
    return { kind: "list", items, at };
  }

  // ---- actions

  action(): Action {
    const { at } = this.token;
    if (this.token.kind === "name" && this.is("call") && this.ahead(1)?.text === "webhook") return this.webhook(at);
    if (this.is("send") && this.ahead(1)?.text === "email") return this.email(at);
    if (this.take("after")) {
      const after = this.expression();
      this.demand("start");
      return { kind: "start", after, rule: this.text("the name of a rule in quotes"), at };
    }
    const target = this.take("update") ? this.postfix() : null;
    return { kind: "change", target, operation: this.operation(), at };
  }

  private webhook(at: number): Action {
    this.position += 2;
    const name = this.text("the name of a webhook in quotes");
    if (!this.take("with")) return { kind: "webhook", name, payload: null, at };
    this.demand("payload");
    return { kind: "webhook", name, payload: this.payload(), at };
  }

  private payload(): Payload {
    if (this.token.kind === "text") return { names: this.text("names") };
    if (!this.take("{")) throw this.unexpected("a text or '{'");
    const pairs: { name: string; at: number; value: Node }[] = [];
    do {
      const { at } = this.token;
      const name = this.name("the name of a member");
      this.demand(":");
      pairs.push({ name, at, value: this.expression() });
    } while (this.take(","));
    this.demand("}");
    return { pairs };
  }

  private email(at: number): Action {
    this.position += 2;
    this.demand("to");
    const to = this.expression();
    this.demand("subject");
    const subject = this.text("a subject in quotes");
    this.demand("body");
    return { kind: "email", to, subject, body: this.text("a body in quotes"), at };
  }

  private operation(): Operation {
    if (this.take("set")) {
      const field = this.field();
      this.demand("=");
      return { kind: "set", field, value: this.expression() };
    }
    if (this.take("clear")) return { kind: "clear", field: this.field() };
    if (this.take("remove")) {
      const value = this.expression();
      this.demand("from");
      return { kind: "remove", value, field: this.field() };
    }
    if (!this.take("add")) throw this.unexpected("set, clear, add, remove, update, call webhook, send email or after");
    if (this.is("note") && this.ahead(1)?.kind === "text") return this.note(false);
    if (this.is("internal") && this.ahead(1)?.text === "note" && this.ahead(2)?.kind === "text") return this.note(true);
    const value = this.expression();
    this.demand("to");
    return { kind: "add", value, field: this.field() };
  }

  private note(internal: boolean): Operation {
    this.position += internal ? 2 : 1;
    const text = this.text("the text of the note");
    if (!this.take("with")) return { kind: "note", internal, text, attachments: null };
    this.demand("attachments");
    return { kind: "note", internal, text, attachments: this.expression() };
  }

  private field(): string[] {
    const names = [this.name("the name of a field")];
    while (this.take(".")) names.push(this.name("the name of a member"));
    return names;
  }
}
