import type { Caller } from "../../engine/caller.ts";
import type { TypeRules } from "../../engine/rules.ts";
import type { Clause } from "../../engine/sql/clauses.ts";
import { statement } from "../../storage/database.ts";

const isPublishedByTrusted = (by: Caller): Clause => ({
  key: "published by trusted",
  sql: (alias, next) =>
    `(${alias}.published_at IS NOT NULL AND ${alias}.account_id IN (SELECT trusted_account_id FROM account_trusts WHERE account_id = ${next()} AND status = 'accepted'))`,
  values: [by.account],
});

// Offerings of all accounts share one space of references, which no index of one account can guard: one at a time.
const lockReferences = statement("SELECT pg_advisory_xact_lock(hashtext('app_offerings.reference'))");
const selectSameReference = statement("SELECT 1 FROM app_offerings WHERE lower(reference) = lower($1) AND id <> $2");

export const appOfferingRules: TypeRules = {
  conditions: {
    "is published by a trusted account": isPublishedByTrusted,
    "is installed in this account": (by) => ({
      key: "installed here",
      sql: (alias, next) => `${alias}.id IN (SELECT app_offering_id FROM app_instances WHERE account_id = ${next()})`,
      values: [by.account],
    }),
  },
  async beforeSave({ tx, by, id, before, after, problem }) {
    if (after.reference === null && typeof after.name === "string")
      after.reference = `${by.account}_${after.name.toLowerCase().replaceAll(" ", "_")}`;
    if (after.reference === (before?.reference ?? null)) return;
    if (before !== null && before.published_at !== null) return problem("reference", "cannot be changed");
    await tx.query(lockReferences);
    const rows = await tx.query(selectSameReference, [after.reference as string, id]);
    if (rows.length > 0) problem("reference", "has already been taken");
  },
};

/** The customer is the account in which the app is installed. */
export const appInstanceRules: TypeRules = {
  beforeSave({ before, after, by }) {
    if (before === null) after.customer_account = by.account;
  },
};
