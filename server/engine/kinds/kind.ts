import type { Field, RecordType, Value } from "../../../records/vocabulary/index.ts";
import type { Row } from "../../database/database.ts";
import type { Type, TypeRegistry } from "../declaration/type.ts";
import type { CellForm } from "./cell.ts";
import type { JsonSchema, KindDescription } from "./description.ts";
import type { GraphForm } from "./graph-form.ts";

export type { Value };

/** The context for reading a value. */
export type InputContext = { zone: string; now: Date };

/** The context for serializing a value: the viewer and the address of the server. */
export type Reader = {
  account: string;
  person: number;
  roles: ReadonlySet<string>;
  /** custom fields as an array of {id, value}, for callers that name their account by an alias header */
  customFieldsAsArray: boolean;
  origin: string;
  now: Date;
};

export type Operator = "equal" | "set" | "range";

/** Records that a value newly refers to, the types they may belong to, and the messages when they are not usable. */
export type NewReferences = { ids: readonly number[]; targets: readonly string[]; missing: string; disabled: string };

/** A member of a JSON object: the columns to select, and how they are written. "" leaves the member out. */
export type MemberSerializer = {
  columns: readonly string[];
  /** a column: where it is null, so are all the others */
  guard?: string | undefined;
  /** the table whose rows about the record it shows: a new record has only those that its own transaction writes */
  rowsOf?: string | undefined;
  write(row: Row, at: number, viewer: Reader): string;
};

/** Collects the joins of a statement. Null: the statement reads one record and selects what it refers to. */
export type Joins = string[] | null;

/** The context for serializing a field of a row. */
export type SerializeContext<F extends Field = Field> = {
  type: Type;
  name: string;
  field: F;
  /** the alias of the row, and the column of the field in it */
  from: string;
  column: string;
  /** the column with the account that the row lives with */
  account: string;
  joins: Joins;
  types: TypeRegistry;
  domain: string;
  signedUri(key: string, viewer: Reader): string;
  /** the joined row of that alias as a reference; null when there is none */
  serializeReference(target: Type, alias: string, joins: string[]): MemberSerializer;
  /** a field of another row with its name */
  serializeMember(type: Type, name: string, joins: Joins, from: string): MemberSerializer;
};

/** The meaning of a value, for code that depends on it: an instant is shown in the time zone of a person. */
export type Meaning = "text" | "number" | "choice" | "day" | "moment" | "target" | "record" | "records";

/** The members that an expression can read from a value. */
export type ValueShape =
  | { kind: "record"; type: string }
  | { kind: "list"; of: ValueShape }
  | { kind: "bag" }
  | { kind: "plain" }
  | { kind: "unknown" };

/** Records of another type that a field shows although it stores none: those whose reference `by` points here. */
export type RelatedRecords = {
  of: string;
  by: string;
  isSingle: boolean;
  /** they belong to the record and are read with the rights on it */
  isOwned: boolean;
};

export type SortKey = {
  expression: string;
  descending: boolean;
  nullable: boolean;
  sqlType: string;
  /** large tables have an index in the order of the expression */
  hasIndex?: true;
};

/** The context for sorting by a field. */
export type SortContext<F extends Field = Field> = {
  field: F;
  column: string;
  account: string;
  joins: string[];
  types: TypeRegistry;
  /** the SQL type of the field that names records of a type */
  displaySqlType(target: Type): string;
};

/** The context for checking the declaration of a field. */
export type DeclarationContext<F extends Field = Field> = {
  type: Type;
  field: F;
  types: ReadonlyMap<string, Type>;
  /** reports a problem of the field */
  report(problem: string): void;
  /** reports types and fields of the type that do not exist */
  requireType(name: string): boolean;
  requireField(name: string): void;
};

/** Everything the server knows about one kind of field. */
export type FieldKind<F extends Field = Field> = {
  // The column
  /** the type of the column; null: values have no column */
  column: string | null;
  /** the type, and constraints that follow from the kind, where they depend on the field or on the type it refers to */
  defineColumn?(field: F, target: RecordType | undefined): string;
  /** the name of the column ends in `_id` */
  hasIdColumn?: true;
  /** a list of references, stored in a table of its own */
  hasOwnTable?: true;
  /** the type whose table a foreign key refers to */
  foreignKey?(field: F): string | null;
  /** false: an index on the column would not help */
  isIndexable?: false;
  /** a short value that filters combine with others: indexes on timestamps include it */
  isCovered?: true;
  /** whether there are so few values that a filter writes them into its statement, whose plan then suits them (D-739) */
  hasFewValues?(field: F): boolean;
  /** the SQL type that parameters are cast to */
  sqlType: string;
  /** the column holds JSON */
  isJson?: true;
  /** the column as readRow selects it, where that is not the plain column */
  selectStored?(column: string): string;
  /** from PostgreSQL's text */
  parse(text: string): Value;
  /** the stored value when there is no text; null unless it says otherwise */
  empty?(): Value;

  // Input
  /** from JSON, a form or a query; throws a Refusal */
  read(input: unknown, field: F, by: InputContext): Value;
  /** the input is a list: a number is refused, and must not be replaced by its text */
  isList?: true;
  /** the value of null and "" in the input; null unless it says otherwise */
  readBlank?(field: F): Value;
  /** reads `<field>_id`, where that is not read like the field itself */
  readId?(input: unknown): Value;
  /** names that bodies may use beside the name of the field */
  bodyNames?(name: string, field: F): readonly string[];
  /** the input is a list of uploaded files */
  isAttachmentInput?: true;
  /** the field whose text uses the uploaded files */
  attachmentField?(field: F): string;
  /** the input names a record by its `reference`, the table stores its id */
  isCode?: true;
  /** merges given with stored members */
  merge?(before: Value, given: Value): Value;
  /** completes and checks a value once given and stored members are merged */
  complete?(value: Value, field: F, accountZone: string): { value: Value; problems: readonly Refusal[] };

  // Meaning
  /** none: a value is what it is in JSON */
  meaning?: Meaning;
  /** a plain value unless it says otherwise */
  shape?(field: F): ValueShape;
  /** `owner`: the name of the type that has the field */
  related?(field: F, owner: string): RelatedRecords;
  /** shows uploaded files */
  holdsFiles?: true;

  // References
  /** the types whose ids the values are */
  targets?(field: F): readonly string[];
  /** records that must be visible and enabled, because the value newly refers to them */
  newReferences?(field: F, before: Value | undefined, after: Value): NewReferences | null;

  // Comparison
  /** whether two values mean the same, when that is not equality */
  isSame?(a: Value, b: Value): boolean;
  /** the value as the audit trail shows it */
  toAudit?(value: Value, field: F): Value;

  // Output
  /** PostgreSQL's text to JSON text */
  write(text: string): string;
  /** where a member is more than the text of its column */
  serialize?(context: SerializeContext<F>): MemberSerializer;
  /** `serialize` writes the name of the member itself */
  namesMember?: true;
  /** responses leave the member out where it is null */
  omitsNull?: true;
  /** a long text, which search results show in part */
  isLongText?: true;
  /** JSON schema of a value in a response */
  schema(field: F): JsonSchema;
  /** further words in the document of the API */
  describe?: KindDescription<F>;
  /** the cell of a file; null: no cell can hold a value */
  cell?: CellForm<F> | null;

  /** in the graph; a text unless it says otherwise */
  graph?(field: F): GraphForm;

  // Filter and order
  /** the operators a filter may use, or null when the kind can never be filtered */
  filter: ReadonlySet<Operator> | null;
  /** from the text of a filter, when that is not read like input */
  readFilter?(text: string): Value;
  /** the message when a filter gives a set and the kind takes none */
  setRefusal?: string;
  /** texts that compare without regard to case in unique keys and beside special filters */
  foldsCase?: true;
  /** whether a filter value finds rows without a value */
  isBlankFilter?(value: Value): boolean;
  /** whether a value can be the limit of a range, and the condition that excludes stored values that cannot be in one */
  range?: { isLimit(value: Value): boolean; condition(column: string): string };
  /** the SQL expression that sorts as the values do */
  orderExpression?(sql: string): string;
  /** sorting by something else than the column */
  sortKey?(context: SortContext<F>): Omit<SortKey, "descending">;
  /** summaries make a group of each value, or of each period */
  groups?: "values" | "periods";
  /** summaries add values up, or find their median */
  isMeasure?: true;
  /** whether every row has a value, beyond what `required` says */
  isAlwaysSet?(field: F): boolean;

  // Declaration
  check?(context: DeclarationContext<F>): void;
};

/** The reason why a value is refused: a message template of records/languages and its numbers. */
export class Refusal extends Error {
  readonly values: Record<string, string | number> | undefined;
  constructor(template: string, values?: Record<string, string | number>) {
    super(template);
    this.values = values;
  }
}

/** NUL and lone surrogates cannot be stored, so they are refused rather than replaced. */
export const isStorable = (text: string): boolean => !text.includes("\0") && text.isWellFormed();

/** Only blanks, control characters and invisible characters: a text without content. */
export const isBlank = (text: string): boolean => /^[\s\p{Cc}\p{Default_Ignorable_Code_Point}\u2800]*$/u.test(text);

/** A scalar of the input as text; objects and lists are refused with the message of the kind. */
export function scalar(input: unknown, otherwise: string): string {
  if (typeof input === "string") {
    if (!isStorable(input)) throw new Refusal("contains invalid characters");
    return input;
  }
  if (typeof input === "number" || typeof input === "boolean") return String(input);
  throw new Refusal(otherwise);
}

export const jsonText = (text: string): string => JSON.stringify(text);

export const onlyEqual: ReadonlySet<Operator> = new Set(["equal"]);
export const equalAndSet: ReadonlySet<Operator> = new Set(["equal", "set"]);
export const equalAndRange: ReadonlySet<Operator> = new Set(["equal", "range"]);
export const everyOperator: ReadonlySet<Operator> = new Set(["equal", "set", "range"]);
