import { namePartition } from "./partition-tables.ts";

// Statements that read only one account's rows of partitioned tables. PostgreSQL replans a statement on the whole table for the
// values of each call, or locks every partition at each call. So the statement marks such tables with the account, and
// where tables are divided, the name of the partition replaces the name of the table (D-696).

/** The table where only rows of the account are wanted. `account`: an expression; others than parameters have no effect. */
export const markTable = (table: string, account: string): string => `${table} /*of ${account}*/`;

const marks = /(\w+|"[^"]+") \/\*of \$(\d+)\*\//g;

/** The parameters with accounts that tables of a statement are marked with, from 1. */
export function listMarkedParameters(text: string): readonly number[] | undefined {
  if (!text.includes("/*of $")) return undefined;
  return [...new Set([...text.matchAll(marks)].map(([, , parameter]) => Number(parameter)))];
}

/** The text with the names of partitions; `numbers`: that of the partition by parameter. Other tables stay as they are. */
export const namePartitions = (
  text: string,
  divided: ReadonlySet<string>,
  numbers: ReadonlyMap<number, number>,
): string =>
  text.replace(marks, (mark, table: string, parameter: string) => {
    const number = numbers.get(Number(parameter));
    return number === undefined || !divided.has(table) ? mark : namePartition(table, number);
  });
