import { Invalid, NotFound } from "../../base/errors.ts";
import { jsonStatement, queryFirst } from "../../database/rows.ts";
import type { Caller } from "../../engine/caller.ts";
import type { Engine } from "../../engine/engine.ts";
import { isStorable } from "../../engine/kinds/kind.ts";
import type { Page } from "../../engine/list.ts";
import { byInteger, isEqual, listNewestFirst } from "../../engine/newest-first.ts";
import type { ListQuery } from "../../engine/read/list-query.ts";
import { allOf } from "../../engine/sql/clauses.ts";
import type { Oauth } from "../oauth-context.ts";
import { recordSecurityEvent } from "../security-trail.ts";
import type { Members } from "./provider-input.ts";
import { type ChangedBy, requireProvider } from "./providers.ts";

// The links between subjects and people, for administrators: they link a subject to a person, also to an administrator, or undo that.

const columns =
  "a.id, json_build_object('id', a.person_id, 'name', p.name) AS person, a.issuer, a.subject, a.created_at, a.last_used_at";

export const listLinks = (engine: Engine, by: Caller, provider: number, query: ListQuery): Promise<Page> =>
  listNewestFirst(engine, by, query, {
    name: "identity links",
    table: "identity_links a",
    joins: "JOIN people p ON p.id = a.person_id",
    columns,
    where: allOf([isEqual("account_id", by.account), isEqual("provider_id", provider)]),
    filters: { person: byInteger("person_id") },
  });

const selectPerson = jsonStatement<{ id: number }>(
  "SELECT id FROM people WHERE id = $1 AND account_id = $2 AND NOT disabled AND life_cycle = 'active'",
);
const insert = jsonStatement<{ id: number }>(
  `INSERT INTO identity_links (account_id, provider_id, person_id, issuer, subject, created_at) VALUES ($1, $2, $3, $4, $5, $6)
ON CONFLICT (account_id, issuer, subject) DO NOTHING RETURNING id`,
);
const remove = jsonStatement<{ person_id: number; subject: string }>(
  "DELETE FROM identity_links WHERE account_id = $1 AND provider_id = $2 AND id = $3 RETURNING person_id, subject",
);

export async function createLink(
  oauth: Oauth,
  by: ChangedBy,
  provider: number,
  { person_id: person, subject, ...rest }: Members,
): Promise<{ id: number }> {
  const { issuer } = await requireProvider(oauth, by.account, provider);
  const unknown = Object.keys(rest);
  if (unknown.length > 0) throw new Invalid(unknown.map((name) => [name, "is unknown"]));
  if (typeof subject !== "string" || subject.trim() === "" || subject.length > 255 || !isStorable(subject))
    throw new Invalid([["subject", "is not valid"]]);
  const isId = Number.isSafeInteger(person) && (person as number) > 0 && (person as number) < 2 ** 31;
  return oauth.database.transaction(async (tx) => {
    const now = oauth.clock.now().toISOString();
    const found = isId ? await queryFirst(tx, selectPerson, [person as number, by.account]) : null;
    if (found === null) throw new Invalid([["person_id", "is not valid"]]);
    const link = await queryFirst(tx, insert, [by.account, provider, found.id, issuer, subject, now]);
    if (link === null) throw new Invalid([["subject", "has already been taken"]]);
    recordSecurityEvent(tx, now, {
      ...{ account: by.account, person: by.person, event: "identity-linked" as const, address: by.address ?? null },
      details: { person: found.id, provider, subject },
    });
    return link;
  });
}

export function deleteLink(oauth: Oauth, by: ChangedBy, provider: number, id: number): Promise<void> {
  return oauth.database.transaction(async (tx) => {
    const link = await queryFirst(tx, remove, [by.account, provider, id]);
    if (link === null) throw new NotFound();
    recordSecurityEvent(tx, oauth.clock.now().toISOString(), {
      ...{ account: by.account, person: by.person, event: "identity-unlinked" as const, address: by.address ?? null },
      details: { person: link.person_id, provider, subject: link.subject },
    });
  });
}
