import type { Row, Statement, Value } from "../../postgres/connection.ts";
import { namePartitions } from "./account-tables.ts";

/** Sends a statement that reads a few rows. */
type Read = (statement: Statement, values: readonly Value[]) => Promise<Row[]>;

/** Connections keep the plan of each, so their number is limited. Statements beyond it name whole tables. */
const maxVariants = 4000;
const maxAccounts = 100_000;

const selectDivided: Statement = {
  text: `SELECT c.relname, count(*) FROM pg_partitioned_table p JOIN pg_class c ON c.oid = p.partrelid JOIN pg_inherits i ON i.inhparent = c.oid
WHERE p.partstrat = 'h' AND c.relnamespace = 'public'::regnamespace GROUP BY c.oid`,
  name: "",
};
const selectNumber: Statement = {
  text: `SELECT n FROM generate_series(0, $2::integer - 1) n WHERE satisfies_hash_partition(('public.' || quote_ident($3))::regclass, $2::integer, n, $1::text)`,
  name: "",
};

type Divided = { tables: ReadonlySet<string>; partitions: number };

/**
 * Gives statements with marked tables the names of partitions. What it has to ask the database for, it asks for in the
 * background: a statement that comes before the answer names whole tables, which is right as well.
 */
export class PartitionChoice {
  private readonly read: Read;
  private divided: Divided | null = null;
  private hasAsked = false;
  /** by account; null: the look-up is pending */
  private readonly numbers = new Map<string, number | null>();
  private readonly variants = new WeakMap<Statement, Map<string, Statement>>();
  private variantCount = 0;
  private readonly pending = new Set<Promise<unknown>>();

  constructor(read: Read) {
    this.read = read;
  }

  /** Whether tables are known to be in partitions. */
  get isDivided(): boolean {
    return this.divided !== null;
  }

  pick(
    statement: Statement,
    values: readonly Value[],
    rename: (text: string, original: Statement) => Statement,
  ): Statement {
    const { markedParameters } = statement;
    if (markedParameters === undefined) return statement;
    if (!this.hasAsked) this.ask();
    if (this.divided === null) return statement;
    const { divided } = this;
    const found = markedParameters.map((parameter) => this.findNumber(values[parameter - 1], divided));
    if (found.includes(null)) return statement;
    const key = found.join();
    const variants = this.variants.get(statement) ?? new Map<string, Statement>();
    const known = variants.get(key);
    if (known !== undefined || this.variantCount >= maxVariants) return known ?? statement;
    const numbers = new Map(markedParameters.map((parameter, at) => [parameter, found[at] as number]));
    const variant = rename(namePartitions(statement.text, divided.tables, numbers), statement);
    this.variants.set(statement, variants.set(key, variant));
    if (variant.name !== "") this.variantCount++;
    return variant;
  }

  /** Waits for what was asked in the background. */
  async settle(): Promise<void> {
    await Promise.all(this.pending);
  }

  private ask(): void {
    this.hasAsked = true;
    this.askInBackground(
      selectDivided,
      [],
      (rows) => {
        const [first] = rows;
        if (first === undefined) return;
        const tables = rows.filter(([, count]) => count === first[1]).map(([name]) => name as string);
        this.divided = { tables: new Set(tables), partitions: Number(first[1]) };
      },
      () => {
        this.hasAsked = false;
      },
    );
  }

  private findNumber(account: Value | undefined, { tables, partitions }: Divided): number | null {
    if (typeof account !== "string") return null;
    const known = this.numbers.get(account);
    if (known !== undefined) return known;
    if (this.numbers.size >= maxAccounts) this.numbers.clear();
    this.numbers.set(account, null);
    const [table] = tables;
    this.askInBackground(
      selectNumber,
      [account, partitions, table as string],
      ([row]) => void this.numbers.set(account, Number((row as Row)[0])),
      () => void this.numbers.delete(account),
    );
    return null;
  }

  private askInBackground(
    statement: Statement,
    values: readonly Value[],
    note: (rows: Row[]) => void,
    forget: () => void,
  ): void {
    const asked: Promise<unknown> = this.read(statement, values)
      .then(note)
      .catch(forget)
      .finally(() => this.pending.delete(asked));
    this.pending.add(asked);
  }
}
