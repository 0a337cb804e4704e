import { appInstance } from "../../../records/settings/app-instance.ts";
import { appOffering } from "../../../records/settings/app-offering.ts";
import { acquireLock, buildLockKey } from "../../database/advisory-lock.ts";
import { statement } from "../../database/database.ts";
import type { Caller } from "../../engine/caller.ts";
import { rulesFor, type TypeRules } from "../../engine/rules.ts";
import type { Clause } from "../../engine/sql/clauses.ts";

const isPublishedByTrusted = (by: Caller): Clause => ({
  key: "published by trusted",
  sql: (alias, next) =>
    `(${alias}.published_at IS NOT NULL AND ${alias}.account_id IN (SELECT trusted_account_id FROM account_trusts WHERE account_id = ${next()} AND status = 'accepted'))`,
  values: [by.account],
});

// References are unique over all accounts, which a unique index per account cannot guarantee, so a lock serializes the
// check and the insert.
const selectSameReference = statement("SELECT 1 FROM app_offerings WHERE lower(reference) = lower($1) AND id <> $2");

export const appOfferingRules = rulesFor(appOffering, {
  conditions: {
    "is published by a trusted account": isPublishedByTrusted,
    "is installed in this account": (by) => ({
      key: "installed here",
      sql: (alias, next) => `${alias}.id IN (SELECT app_offering_id FROM app_instances WHERE account_id = ${next()})`,
      values: [by.account],
    }),
  },
  async beforeSave({ tx, by, id, before, after, problem }) {
    if (after.reference === null && after.name !== null)
      after.reference = `${by.account}_${after.name.toLowerCase().replaceAll(" ", "_")}`;
    if (after.reference === (before?.reference ?? null)) return;
    if (before !== null && before.published_at !== null) return problem("reference", "cannot be changed");
    await tx.query(acquireLock, [buildLockKey("references of app offerings")]);
    const rows = await tx.query(selectSameReference, [after.reference, id]);
    if (rows.length > 0) problem("reference", "has already been taken");
  },
});

/** The customer is the account in which the app is installed. */
export const appInstanceRules = rulesFor(appInstance, {
  beforeSave({ before, after, by }) {
    if (before === null) after.customer_account = by.account;
  },
});

/** The hooks of webhooks that need nothing of the module that sends their messages. */
export const webhookComputations: NonNullable<TypeRules["compute"]> = {
  "references of the offerings it came with": {
    sql: (row) =>
      `SELECT coalesce(json_agg(o.reference ORDER BY o.reference), '[]') FROM app_instances i JOIN app_offerings o ON o.id = i.app_offering_id WHERE i.webhook_id = ${row}.id AND i.account_id = ${row}.account_id`,
    isVisibleTo: () => true,
  },
};
