import { quoteIdentifier } from "../../storage/schema/model.ts";
import type { Type } from "../declaration/type.ts";

// Conditions that name the account of rows that live with their account (storage.placement), so that a database of several
// servers, or of several partitions, looks at one of them only. Other tables need no such condition.

/** Confines rows of a type to the account of another row. Null: they may belong to another account. */
export const andOfAccount = (target: Type, alias: string, account: string | null): string =>
  target.placement === "account" && account !== null
    ? ` AND ${alias}.${quoteIdentifier(target.accountColumn)} = ${account}`
    : "";

/** The same for the rows of a table that links records of two types. */
export const andLinkOfAccount = (ends: readonly Type[], alias: string, account: string): string =>
  ends.some(({ placement }) => placement === "account") ? ` AND ${alias}.account_id = ${account}` : "";
