import type { Value } from "../../database/database.ts";
import { ScimError } from "../errors.ts";
import type { Columns } from "./columns.ts";
import type { Stored } from "./stored.ts";

export const notFound = (what: "user" | "group"): ScimError => new ScimError(404, null, `There is no such ${what}.`);

export const buildVersion = ({ version }: Pick<Stored, "version">): string => `W/"${version}"`;

/** `versions`: those that the call is meant for; null: any. */
export function checkVersion(stored: Stored, versions: readonly string[] | null): void {
  if (versions !== null && !versions.includes("*") && !versions.includes(buildVersion(stored)))
    throw new ScimError(412, null, "The resource was changed meanwhile.");
}

/** Values of columns; objects and lists are JSON. */
export const toSqlValues = (columns: Columns, names: readonly string[]): Value[] =>
  names.map((name) => {
    const value = columns[name] ?? null;
    return typeof value === "object" && value !== null ? JSON.stringify(value) : (value as Value);
  });

/** Two resources with one key: found by the database, also when both are made at the same moment. */
export async function refuseDuplicates<T>(keys: string, work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    if ((error as { code?: string }).code !== "23505") throw error;
    throw new ScimError(409, "uniqueness", `There is a resource with that ${keys}.`);
  }
}
