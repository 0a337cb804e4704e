// Decides from PostgreSQL's plan whether a statement is pinned: every scan of a table that lives with its account has a
// condition that restricts it to given accounts, by comparing with a value or with a column that is restricted itself.

/** A node of EXPLAIN (VERBOSE, FORMAT JSON), with the members used here. */
export type PlanNode = {
  "Node Type": string;
  "Parent Relationship"?: string;
  "Subplan Name"?: string;
  "Relation Name"?: string;
  Alias?: string;
  "CTE Name"?: string;
  "Join Type"?: string;
  Operation?: string;
  "One-Time Filter"?: string;
  Output?: string[];
  Plans?: PlanNode[];
} & { [condition in ScanCondition | JoinCondition]?: string };

const scanConditions = ["Index Cond", "Recheck Cond", "Filter", "TID Cond"] as const;
const joinConditions = ["Hash Cond", "Merge Cond", "Join Filter"] as const;
type ScanCondition = (typeof scanConditions)[number];
type JoinCondition = (typeof joinConditions)[number];

export type PlacedTable = {
  name: string;
  accountColumn: string;
  /** the position of the account column in the table, starting at 1 */
  accountNumber: number;
  /** true for a partition; its scans have the table's alias with a number appended */
  isPartition?: boolean;
};

export type Verdict = {
  /** scanned tables that live with their account */
  placed: readonly string[];
  /** those of them without a restriction to given accounts */
  unpinned: readonly string[];
  /** a scan is restricted to a list of accounts, not to one */
  hasSeveral: boolean;
  /** partitions chosen at run time by a statement that locks or changes rows: PostgreSQL 18.4 crashes (D-684) */
  chosenPartitions: readonly string[];
};

/** The partition key columns, by the partition's name. */
export type PartitionColumns = ReadonlyMap<string, readonly string[]>;

/** An equality between columns: if `from` is restricted, so is `to`. */
type Edge = { from: string; to: string };

export function judgePlan(
  plan: PlanNode,
  tables: ReadonlyMap<string, PlacedTable>,
  partitionColumns: PartitionColumns = new Map(),
): Verdict {
  const nodes = [...walk(plan)];
  // If a condition can't hold, columns have no values and the plan names them without their table.
  const isEmpty = nodes.some((node) => node["One-Time Filter"] === "false");
  const edges: Edge[] = [];
  const pinned = new Set<string>();
  const several = new Set<string>();
  const scans: { table: string; column: string }[] = [];
  for (const node of nodes) {
    const alias = node.Alias;
    if (node["Node Type"] === "ModifyTable") {
      const table = tables.get(node["Relation Name"] ?? "");
      if (table === undefined || node.Operation !== "Insert") continue;
      const column = `${alias}.${table.accountColumn}`;
      scans.push({ table: table.name, column });
      addEquality(column, unwrap(findInput(node)?.Output?.[table.accountNumber - 1] ?? ""), "to the first");
      continue;
    }
    if (alias !== undefined) {
      const table = tables.get(node["Relation Name"] ?? "");
      if (table !== undefined) scans.push({ table: table.name, column: `${alias}.${table.accountColumn}` });
      if (table?.isPartition) {
        const whole = `${nameWhole(alias)}.${table.accountColumn}`;
        addEquality(`${alias}.${table.accountColumn}`, whole, "both");
      }
      for (const name of scanConditions)
        for (const { left, right, isList } of parseEqualities(node[name] ?? ""))
          for (const [own, other] of [
            [left, right],
            [right, left],
          ] as const)
            if (own.startsWith(`${alias}.`)) {
              addEquality(own, other, "to the first");
              if (isList && isGiven(other)) several.add(own);
            }
      // The rows of a function or of VALUES come from parameters.
      if (["Function Scan", "Values Scan"].includes(node["Node Type"])) pinned.add(`${alias}.*`);
      if (node["Node Type"] === "Subquery Scan") addOutputs(alias, findInput(node));
      if (node["Node Type"] === "CTE Scan" || node["Node Type"] === "WorkTable Scan") {
        const made = nodes.find((other) => other["Subplan Name"] === `CTE ${node["CTE Name"]}`);
        addOutputs(alias, made?.["Node Type"] === "Recursive Union" ? findInput(made) : made);
      }
    }
    if (node["Join Type"] !== undefined) addJoin(node);
    addSubplans(node);
  }
  for (let size = -1; size !== pinned.size; ) {
    size = pinned.size;
    for (const { from, to } of edges)
      if (isPinned(from)) {
        pinned.add(to);
        if (several.has(from)) several.add(to);
      }
  }
  const unpinned = scans.filter(({ column }) => !pinned.has(column)).map(({ table }) => table);
  return {
    placed: [...new Set(scans.map(({ table }) => table))],
    unpinned: [...new Set(unpinned)],
    hasSeveral: scans.some(({ column }) => several.has(column)),
    chosenPartitions: findChosenPartitions(nodes, partitionColumns),
  };

  function isPinned(column: string): boolean {
    if (isEmpty && /^\w+$/.test(column)) return true;
    return pinned.has(column) || pinned.has(column.replace(/\.[^.]+$/, ".*"));
  }

  function addEquality(own: string, other: string, direction: "to the first" | "both"): void {
    if (isGiven(other)) pinned.add(own);
    else edges.push({ from: other, to: own });
    if (direction === "both") edges.push({ from: own, to: other });
  }

  /** A join condition names the table even where partitions are scanned. */
  function listAliases({ Alias, "Relation Name": relation = "" }: PlanNode): string[] {
    if (Alias === undefined) return [];
    return tables.get(relation)?.isPartition ? [Alias, nameWhole(Alias)] : [Alias];
  }

  /** An outer join keeps all rows of one side, so its condition restricts only the other side. */
  function addJoin(node: PlanNode): void {
    const [outer, inner] = (["Outer", "Inner"] as const).map((side) => {
      const child = node.Plans?.find((part) => part["Parent Relationship"] === side);
      return new Set([...(child === undefined ? [] : walk(child))].flatMap(listAliases));
    }) as [Set<string>, Set<string>];
    const type = node["Join Type"] as string;
    const confinesInner = !["Right", "Full", "Right Anti"].includes(type);
    const confinesOuter = !["Left", "Full", "Anti"].includes(type);
    const isOf = (aliases: Set<string>, column: string) => aliases.has(column.split(".")[0] as string);
    for (const name of joinConditions)
      for (const { left, right, isList } of parseEqualities(node[name] ?? "")) {
        if (isList) continue;
        for (const [one, other] of [
          [left, right],
          [right, left],
        ] as const)
          if ((isOf(inner, one) && confinesInner) || (isOf(outer, one) && confinesOuter))
            addEquality(one, other, "to the first");
      }
  }

  /** Rows of EXISTS or IN are restricted where their columns equal the outer row's, even if all are read once and hashed. */
  function addSubplans(node: PlanNode): void {
    for (const text of Object.values(node).flat())
      for (const [, own = "", number, column] of typeof text === "string" ? text.matchAll(subplanEquality) : []) {
        const made = nodes.find((other) => other["Subplan Name"] === `SubPlan ${number}`);
        const output = made?.Output?.[Number(column) - 1];
        if (output !== undefined) addEquality(unwrap(output), unwrap(own), "to the first");
      }
  }

  /** A subquery's columns by name. PostgreSQL doesn't report renamed columns, except for `account`. */
  function addOutputs(alias: string, made: PlanNode | undefined): void {
    for (const output of made?.Output ?? []) {
      const column = unwrap(output);
      const [, name] = column.split(".");
      if (name === undefined || isGiven(column)) continue;
      edges.push({ from: column, to: `${alias}.${name}` });
      if (/^(?:home_)?account_id$/.test(name)) edges.push({ from: column, to: `${alias}.account` });
    }
  }
}

const subplanEquality = /([\w."]+)(?:\)::\w+)? = \((?:hashed )?SubPlan (\d+)\)\.col(\d+)/g;

/**
 * A partition below Append is chosen at run time if its key is compared with a value known only then. PostgreSQL frees
 * the state of that choice when it rechecks a locked row, and then uses it again.
 */
function findChosenPartitions(nodes: readonly PlanNode[], columns: PartitionColumns): string[] {
  const locks = ({ "Node Type": type, Operation = "Insert" }: PlanNode) =>
    type === "LockRows" || (type === "ModifyTable" && Operation !== "Insert");
  if (!nodes.some(locks)) return [];
  const below = nodes.filter((node) => ["Append", "Merge Append"].includes(node["Node Type"]));
  const chosen = below
    .flatMap(({ Plans = [] }) => Plans.filter((child) => child["Parent Relationship"] === "Member"))
    .filter(({ Alias: alias, "Relation Name": relation = "", ...node }) =>
      scanConditions.some((name) =>
        parseComparisons(node[name] ?? "").some(
          ([one, other]) =>
            columns.get(relation)?.some((column) => one === `${alias}.${column}`) && isOfTheMoment(other, `${alias}.`),
        ),
      ),
    );
  return chosen.map((node) => node["Relation Name"] as string);
}

/** A value of another row or of a subquery. */
const isOfTheMoment = (term: string, own: string): boolean => {
  const names = term.replace(/'(?:[^']|'')*'/g, "").match(/[\w"]+\.[\w"]+|\b(?:InitPlan|SubPlan) \d+/g) ?? [];
  return names.some((name) => !name.startsWith(own));
};

/** The pairs that any part of a condition compares, in both directions. */
function parseComparisons(condition: string): [string, string][] {
  const text = stripParentheses(condition.trim());
  const parts = [" AND ", " OR "].map((word) => splitAt(text, word)).find(({ length }) => length > 1);
  if (parts !== undefined) return parts.flatMap(parseComparisons);
  const sides = [" = ", " < ", " > ", " <= ", " >= "]
    .map((sign) => splitAt(text, sign))
    .find(({ length }) => length === 2);
  if (sides === undefined) return [];
  const [left, right] = sides.map(unwrap) as [string, string];
  return [
    [left, right],
    [right, left],
  ];
}

/** Derives a table's alias from its partition's. */
const nameWhole = (alias: string): string => alias.replace(/_\d+$/, "");

/** The node that supplies a node's rows, as opposed to one that runs beside it. */
function findInput({ Plans }: PlanNode): PlanNode | undefined {
  const input = Plans?.find((child) => !["InitPlan", "SubPlan"].includes(child["Parent Relationship"] ?? ""));
  // The plan doesn't repeat the columns of partitions, which are all alike.
  return input?.["Node Type"] === "Append" && input.Output === undefined ? findInput(input) : input;
}

function* walk(node: PlanNode): Generator<PlanNode> {
  yield node;
  for (const child of node.Plans ?? []) yield* walk(child);
}

/** Whether the text is a parameter, a literal or the result of a subquery that runs once, and not a column. */
const isGiven = (term: string): boolean =>
  /^\$\d+$/.test(term) ||
  /^'(?:[^']|'')*'$/.test(term) ||
  /^\(?InitPlan \d+\)?\.col\d+$/.test(term) ||
  /^ARRAY\[/.test(term);

type Equality = { left: string; right: string; isList: boolean };

/** The equalities that hold for every row that meets a condition. */
export function parseEqualities(condition: string): Equality[] {
  const text = stripParentheses(condition.trim());
  if (text === "") return [];
  const conjuncts = splitAt(text, " AND ");
  if (conjuncts.length > 1) return conjuncts.flatMap(parseEqualities);
  const alternatives = splitAt(text, " OR ");
  if (alternatives.length > 1) {
    const [first = [], ...others] = alternatives.map(parseEqualities);
    const has = (list: readonly Equality[], { left, right }: Equality) =>
      list.some((one) => one.left === left && one.right === right);
    const isSame = ({ left }: Equality) =>
      others.every((list) => list.some((one) => one.left === left && isGiven(one.right)));
    return first.flatMap((one) => {
      if (others.every((list) => has(list, one))) return [one];
      return isGiven(one.right) && isSame(one) ? [{ ...one, isList: true }] : [];
    });
  }
  const [left, right, ...rest] = splitAt(text, " = ");
  if (left === undefined || right === undefined || rest.length > 0) return [];
  const list = /^ANY \((.*)\)$/s.exec(right)?.[1];
  return [{ left: unwrap(left), right: unwrap(list ?? right), isList: list !== undefined }];
}

/** Strips parentheses and casts around a term; names are compared without quotes. */
function unwrap(term: string): string {
  const bare = stripParentheses(term.trim()).replaceAll('"', "");
  const inner = bare.replace(/::(?:\w+|character varying)(?:\[\])?$/, "").replace(/ COLLATE \w+$/, "");
  return inner === bare ? bare : unwrap(inner);
}

function stripParentheses(text: string): string {
  if (!text.startsWith("(") || findClosing(text) !== text.length - 1) return text;
  return stripParentheses(text.slice(1, -1).trim());
}

/** The index of the parenthesis that closes the one at the start of the text. */
function findClosing(text: string): number {
  let depth = 0;
  for (const { index, character } of scan(text)) {
    if (character === "(") depth++;
    else if (character === ")" && --depth === 0) return index;
  }
  return -1;
}

/** Splits a text at separators outside parentheses and quotes. */
function splitAt(text: string, separator: string): string[] {
  const parts: string[] = [];
  let depth = 0;
  let from = 0;
  for (const { index, character } of scan(text)) {
    if (character === "(" || character === "[") depth++;
    else if (character === ")" || character === "]") depth--;
    else if (depth === 0 && text.startsWith(separator, index)) {
      parts.push(text.slice(from, index));
      from = index + separator.length;
    }
  }
  return [...parts, text.slice(from)];
}

function* scan(text: string): Generator<{ index: number; character: string }> {
  let quote = "";
  for (let index = 0; index < text.length; index++) {
    const character = text[index] as string;
    if (quote !== "") {
      if (character === quote) quote = "";
    } else if (character === "'" || character === '"') quote = character;
    else yield { index, character };
  }
}
