import { type Row, statement } from "../../database/database.ts";
import type { Scim } from "../scim-context.ts";
import { parseUser, type Stored, userColumns } from "./stored.ts";

// Reads users. Most calls of a repeated synchronization read one user and change nothing; those that arrive in the same
// moment are read by one statement.

const select = statement(`SELECT ${userColumns} FROM scim_users a WHERE a.account_id = $1 AND a.id = $2`);
const selectSeveral = statement(
  `SELECT given.nr, ${userColumns} FROM unnest($1::text[], $2::integer[]) WITH ORDINALITY AS given (account, id, nr)
JOIN scim_users a ON a.account_id = given.account AND a.id = given.id`,
);

type Waiting = { account: string; id: number; resolve(row: Row | undefined): void; reject(error: unknown): void };
const waitingByScim = new WeakMap<Scim, Waiting[]>();

/** Null: there is none, not even a deleted one. */
export async function loadUser(scim: Scim, account: string, id: number): Promise<Stored | null> {
  const row = await new Promise<Row | undefined>((resolve, reject) => {
    const waiting = waitingByScim.get(scim);
    const one = { account, id, resolve, reject };
    if (waiting !== undefined) waiting.push(one);
    else {
      waitingByScim.set(scim, [one]);
      setImmediate(() => void readAll(scim));
    }
  });
  return row === undefined ? null : parseUser(row);
}

async function readAll(scim: Scim): Promise<void> {
  const all = waitingByScim.get(scim) ?? [];
  waitingByScim.delete(scim);
  const { database } = scim.engine;
  const [first] = all as [Waiting];
  try {
    if (all.length === 1) return first.resolve((await database.read(select, [first.account, first.id]))[0]);
    const rows = await database.read(selectSeveral, [all.map(({ account }) => account), all.map(({ id }) => id)]);
    const byNumber = new Map(rows.map(([nr, ...row]) => [Number(nr), row]));
    for (const [at, { resolve }] of all.entries()) resolve(byNumber.get(at + 1));
  } catch (error) {
    for (const { reject } of all) reject(error);
  }
}
