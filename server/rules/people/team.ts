import { team } from "../../../records/people/team.ts";
import { statement } from "../../database/database.ts";
import type { Caller } from "../../engine/caller.ts";
import { noConflicts, rulesFor } from "../../engine/rules.ts";
import { type Clause, never } from "../../engine/sql/clauses.ts";

export const selectTeamMember = statement("SELECT 1 FROM team_members WHERE team_id = $1 AND person_id = $2");

/** Rows whose team is one the caller belongs to. */
export const isAssignedToMyTeam = (by: Caller): Clause => ({
  key: "team of mine",
  sql: (alias, next) => `${alias}.team_id IN (SELECT team_id FROM team_members WHERE person_id = ${next()})`,
  values: [by.person],
});

/** Rows of the accounts that the account of the call trusts. */
export const isOfTrustedAccount = (by: Caller): Clause => {
  const { trusts } = by.accountRecord;
  if (trusts.length === 0) return never;
  return {
    key: "of a trusted account",
    sql: (alias, next) => `${alias}.account_id = ANY(${next()}::text[])`,
    values: [trusts],
  };
};

export const teamRules = rulesFor(team, {
  conditions: {
    "belongs to a trusted account": (by) => isOfTrustedAccount(by),
    "I am a member of it": (by) => ({
      key: "my team",
      sql: (alias, next) => `${alias}.id IN (SELECT team_id FROM team_members WHERE person_id = ${next()})`,
      values: [by.person],
    }),
  },
  conflictKeys: noConflicts,
  async beforeSave({ tx, id, after, changed, problem }) {
    if (!changed.has("coordinator") || after.coordinator === null) return;
    const rows = await tx.query(selectTeamMember, [id, after.coordinator]);
    if (rows.length === 0) problem("coordinator", "must be a member of the team");
  },
});
