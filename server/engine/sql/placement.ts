import { markTable } from "../../schema/layout/account-tables.ts";
import { quoteIdentifier } from "../../schema/tables/model.ts";
import type { Type } from "../declaration/type.ts";

// Conditions that name the account of rows that live with their account (storage.placement), so that a database of several
// servers, or of several partitions, looks at one of them only. Other tables need no such condition.

/** Confines rows of a type to the account of another row. Null: they may belong to another account. */
export const andOfAccount = (target: Type, alias: string, account: string | null): string =>
  target.placement === "account" && account !== null
    ? ` AND ${alias}.${quoteIdentifier(target.accountColumn)} = ${account}`
    : "";

/** The table of a type from which `andOfAccount` takes the rows of an account; null: those of several. */
export const tableOfAccount = ({ placement, table, ownTable }: Type, account: string | null): string =>
  placement === "account" && account !== null && table === ownTable ? markTable(table, account) : table;

/**
 * Gives a statement about a record, the row `a`, its account as a value, which is known before the row is: where tables are in
 * partitions, PostgreSQL plans the record and its references for one partition each instead of all (D-667).
 */
export const compareWithValue = (text: string, column: string, account: string): string =>
  text.replaceAll(new RegExp(`(= |/\\*of )a\\.${column}\\b`, "g"), (_, before: string) => `${before}${account}`);

/** The same for the rows of a table that links records of two types. */
export const andLinkOfAccount = (ends: readonly Type[], alias: string, account: string): string =>
  ends.some(({ placement }) => placement === "account") ? ` AND ${alias}.account_id = ${account}` : "";
