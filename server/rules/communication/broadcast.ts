import { broadcast } from "../../../records/configuration/broadcast.ts";
import { broadcastTranslation } from "../../../records/configuration/broadcast-translation.ts";
import { toTimestamp } from "../../base/clock.ts";
import { Invalid } from "../../base/errors.ts";
import { statement, type Value } from "../../database/database.ts";
import type { Caller } from "../../engine/caller.ts";
import { type Change, rulesFor } from "../../engine/rules.ts";
import type { Clause } from "../../engine/sql/clauses.ts";
import { getToday } from "../shared/current-date.ts";
import { audienceLists, buildVisibilitiesSql, visibilitiesByList } from "./broadcast-audience.ts";

// BC1 to BC5

const isShownNow = (by: Caller): Clause => ({
  key: "shown now",
  sql(alias, next) {
    const now = `${next()}::timestamptz`;
    return `(NOT ${alias}.disabled AND ${alias}.start_at <= ${now} AND (${alias}.end_at IS NULL OR ${alias}.end_at > ${now}))`;
  },
  values: [toTimestamp(by.now)],
});

/** Broadcasts that are shown now to the caller. Specialists can read the others as records; they are not shown to them. */
export function isShownToMe(by: Caller): Clause {
  const now = isShownNow(by);
  const isOfAccount = [by.account, by.accountRecord.directory].includes(by.me.account);
  const isSpecialist = by.roles.has("specialist");
  const values: Value[] = [by.person, getToday(by), isOfAccount, isSpecialist];
  return {
    key: `(${now.key} to me)`,
    sql(alias, next) {
      const shown = now.sql(alias, next);
      const [me, today] = [`${next()}::integer`, next()];
      const [ofAccount, specialist] = [`${next()}::boolean`, `${next()}::boolean`];
      const visibilities = buildVisibilitiesSql({
        person: me,
        today,
        account: `${alias}.account_id`,
        isOfAccount: ofAccount,
        isSpecialist: specialist,
        hasOneOf: (list, column, query) =>
          `EXISTS (SELECT 1 FROM broadcast_${list} l WHERE l.broadcast_id = ${alias}.id AND l.account_id = ${alias}.account_id AND l.${column} IN (${query}))`,
      });
      const cases = Object.entries(visibilities).map(
        ([visibility, isInAudience]) => `WHEN '${visibility}' THEN ${isInAudience}`,
      );
      return `(${shown} AND CASE ${alias}.visibility ${cases.join(" ")} ELSE false END)`;
    },
    values: [...now.values, ...values],
  };
}

const selectGrouping = statement("SELECT grouping FROM requests WHERE id = $1 AND account_id = $2");

async function beforeSave({ tx, by, after, changed, problem }: Change<typeof broadcast>): Promise<void> {
  for (const list of audienceLists) if (!visibilitiesByList[list].includes(after.visibility)) after[list] = [];
  if (changed.has("request") && after.request !== null) {
    const [row] = await tx.query(selectGrouping, [after.request, by.account]);
    if (row?.[0] !== "group") problem("request", "is not valid"); // subscribers join the group, which belongs to one account
  }
}

// The message equals the translation for the locale of the account: changing one changes the other.
const upsertTranslation = statement(
  `INSERT INTO broadcast_translations (account_id, broadcast_id, locale, message, created_at, updated_at)
VALUES ($1, $2, $3, $4, $5, $5)
ON CONFLICT (account_id, broadcast_id, locale) DO UPDATE SET message = excluded.message, updated_at = excluded.updated_at`,
);

export const broadcastRules = rulesFor(broadcast, {
  conditions: {
    "is shown now": isShownNow,
    "is not shown now": (by) => {
      const shown = isShownNow(by);
      return { key: `not ${shown.key}`, sql: (alias, next) => `NOT ${shown.sql(alias, next)}`, values: shown.values };
    },
    "is shown to me": isShownToMe,
  },
  beforeSave,
  afterSave({ tx, by, id, before, after }) {
    if (before?.message === after.message) return;
    tx.send(upsertTranslation, [by.account, id, by.accountRecord.locale, after.message, toTimestamp(by.now)]);
  },
});

export const broadcastTranslationRules = rulesFor(broadcastTranslation, {
  beforeSave({ by, before, after, problem }) {
    const { locale } = by.accountRecord;
    if (before?.locale === locale && after.locale !== locale) problem("locale", "is not valid");
  },
  async afterSave({ by, after, update }) {
    if (after.locale === by.accountRecord.locale)
      await update("broadcast", after.broadcast, { message: after.message });
  },
  afterDelete({ by, values }) {
    if (values.locale === by.accountRecord.locale) throw new Invalid([["locale", "is not valid"]]);
  },
});
