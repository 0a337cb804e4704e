import type { FastifyReply, FastifyRequest } from "fastify";
import { jsonStatement, queryRows } from "../../database/rows.ts";
import type { Person } from "../../engine/caller.ts";
import { loadAccountsFor } from "../../oauth/account-access.ts";
import { buildCoversPersonSql } from "../../rules/sla/coverage.ts";
import { readCookie, setCookie } from "../cookies.ts";
import type { PagesContext } from "../visit.ts";

// The account that "/" opens: D-761. The account that the person used last in this browser, else one that has something for
// them. An address that names an account never comes here.

const accountCookie = "steward_account";
const yearInSeconds = 365 * 24 * 3600;

/** The cookie names the person too: the next one at the same browser starts in an account of their own. */
export function rememberAccount(
  pages: PagesContext,
  request: FastifyRequest,
  reply: FastifyReply,
  person: Person,
  account: string,
): void {
  const origin = pages.getOrigin(request);
  const value = `${person.id}:${encodeURIComponent(account)}`;
  if (readCookie(request, accountCookie, origin) !== value)
    setCookie({ reply, origin }, accountCookie, value, yearInSeconds);
}

function readRememberedAccount(pages: PagesContext, request: FastifyRequest, person: Person): string | null {
  const value = readCookie(request, accountCookie, pages.getOrigin(request)) ?? "";
  const [id, account = ""] = value.split(":");
  try {
    return id === String(person.id) ? decodeURIComponent(account) : null;
  } catch {
    return null; // a cookie that this server did not write
  }
}

type Standing = { account: string; has_work: boolean; has_requests: boolean; sla_count: number };

const openRequests =
  "FROM requests r WHERE r.account_id = o.account AND r.life_cycle = 'active' AND r.status NOT IN ('completed')";
const selectStandings = jsonStatement<Standing>(
  `SELECT o.account,
  EXISTS (SELECT 1 ${openRequests} AND r.member_id = $1) AS has_work,
  EXISTS (SELECT 1 ${openRequests} AND r.requested_for_id = $1) AS has_requests,
  (SELECT count(*)::integer FROM slas s WHERE s.account_id = o.account AND ${buildCoversPersonSql("$1", "$3")}) AS sla_count
FROM unnest($2::text[]) AS o (account)`,
);

const hasWorkingRole = (person: Person, account: string): boolean =>
  [...(person.roles.get(account) ?? [])].some((role) => role !== "key_contact");

/** Accounts in which the person works come before those that serve them, and these before accounts that only know them. */
function rankStanding(person: Person, { account, has_work, has_requests, sla_count }: Standing): number {
  if (hasWorkingRole(person, account)) return has_work ? 4 : 3;
  if (has_requests) return 2;
  return sla_count > 0 ? 1 : 0;
}

export async function pickStartAccount(pages: PagesContext, request: FastifyRequest, person: Person): Promise<string> {
  const accounts = (await loadAccountsFor(pages.oauth, person)).map(({ id }) => id);
  const remembered = readRememberedAccount(pages, request, person);
  if (remembered !== null && accounts.includes(remembered)) return remembered;
  if (accounts.length < 2) return person.account;
  const today = pages.oauth.clock.now().toISOString().slice(0, 10);
  const standings = await queryRows(pages.engine.database, selectStandings, [person.id, accounts, today]);
  const [best] = standings.toSorted(
    (one, other) =>
      rankStanding(person, other) - rankStanding(person, one) ||
      other.sla_count - one.sla_count ||
      Number(other.account === person.account) - Number(one.account === person.account),
  );
  return best?.account ?? person.account;
}
