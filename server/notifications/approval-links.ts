import { type Caller, loadCallerInAccount } from "../engine/caller.ts";
import type { Engine } from "../engine/engine.ts";
import { update } from "../engine/update.ts";
import { jsonStatement, queryFirst } from "../storage/rows.ts";
import type { Notifications } from "./context.ts";
import { isSignedBy, type LinkParts, looksSigned, signLink } from "./link-signature.ts";
import { buildRecipientCaller, loadAccounts, loadMailRecipients, type MailRecipient } from "./mail-recipients.ts";

// AP14: the mail that asks for an approval has two links. They identify the approver, who needs no session, and show a page
// that asks for confirmation; only its form decides, because mail scanners open every link. The signature covers the
// revision of the approval, which grows with the decision: a link works once, and not after the task was assigned anew.

export type Decision = "approved" | "rejected";
export const isDecision = (text: string): text is Decision => text === "approved" || text === "rejected";

type ApprovalRow = {
  id: number;
  revision: number;
  status: string;
  account: string;
  task: number;
  subject: string;
  request: string | null;
  requested_for: string | null;
  decided_by: string | null;
};
const selectApproval = jsonStatement<ApprovalRow>(
  `SELECT a.id, a.revision, a.status, a.account_id AS account, t.id AS task, t.subject, r.subject AS request, f.name AS requested_for,
  (SELECT string_agg(p.name, ', ') FROM task_approvals o JOIN people p ON p.id = o.approver_id WHERE o.task_id = t.id AND o.account_id = t.account_id AND o.status IN ('approved', 'rejected')) AS decided_by
FROM task_approvals a JOIN tasks t ON t.id = a.task_id AND t.account_id = a.account_id
LEFT JOIN LATERAL (SELECT * FROM requests q WHERE q.workflow_id = t.workflow_id AND q.account_id = t.account_id AND q.life_cycle = 'active' ORDER BY q.id LIMIT 1) r ON true
LEFT JOIN people f ON f.id = r.requested_for_id WHERE a.id = $1 AND a.approver_id = $2`,
);

const listParts = (approval: number, person: number, revision: number, decision: Decision): LinkParts => [
  "approval",
  approval,
  person,
  revision,
  decision,
];

export type DecisionLinks = Readonly<Record<Decision, string>>;

/** The links for a mail about an approval; null: it is not asked for any more. */
export async function loadDecisionLinks(
  { engine, secret, origin }: Notifications,
  approval: number,
  person: number,
): Promise<DecisionLinks | null> {
  const row = await queryFirst(engine.database, selectApproval, [approval, person]);
  if (row?.status !== "assigned") return null;
  const build = (decision: Decision) =>
    `${origin()}/approvals/${approval}/${person}/${decision}/${signLink(secret, listParts(approval, person, row.revision, decision))}`;
  return { approved: build("approved"), rejected: build("rejected") };
}

export type ApprovalLink = { approval: number; person: number; decision: Decision; signature: string };
export type VerifiedApproval = { row: ApprovalRow; reader: MailRecipient; decision: Decision };

/** What a link decides. "used": it was right, and somebody has decided since; null: it never was right. */
export async function verifyApprovalLink(
  { engine, secret }: Notifications,
  { approval, person, decision, signature }: ApprovalLink,
): Promise<VerifiedApproval | { used: true; reader: MailRecipient; decidedBy: string | null } | null> {
  if (!looksSigned(signature)) return null;
  const [row, readers] = await Promise.all([
    queryFirst(engine.database, selectApproval, [approval, person]),
    loadMailRecipients(engine, [person], engine.clock.now()),
  ]);
  const reader = readers.get(person);
  if (row === null || reader === undefined) return null;
  const matches = (revision: number) => isSignedBy(secret, listParts(approval, person, revision, decision), signature);
  if (row.status === "assigned" && matches(row.revision)) return { row, reader, decision };
  const earlier = Array.from({ length: Math.min(row.revision, maxRevisions) }, (_, back) => row.revision - back);
  return earlier.some(matches) ? { used: true, reader, decidedBy: row.decided_by } : null;
}
/** A link that was right so many changes ago is told that it was used, instead of being unknown. */
const maxRevisions = 20;

/** An ordinary change by the approver, with an audit line. */
export async function decideByLink(
  engine: Engine,
  { row, reader, decision }: VerifiedApproval,
  note: string,
): Promise<void> {
  const account = (await loadAccounts(engine, [row.account])).get(row.account);
  if (account === undefined) return;
  const by: Caller = await loadCallerInAccount(
    engine.database,
    buildRecipientCaller(reader, account, engine.clock.now()),
    account.id,
  );
  const members = { status: decision, ...(note === "" ? {} : { note }) };
  await update(engine, by, engine.types.get("task"), row.task, { members });
}
