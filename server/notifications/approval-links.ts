import { jsonStatement, queryFirst } from "../database/rows.ts";
import { type Caller, loadCallerInAccount } from "../engine/caller.ts";
import type { Engine } from "../engine/engine.ts";
import { update } from "../engine/update.ts";
import { type ApprovalBackground, loadApprovalBackgrounds } from "../rules/communication/approval-background.ts";
import { isSignedBy, type LinkParts, looksSigned, signLink } from "./link-signature.ts";
import { buildRecipientCaller, loadAccounts, loadMailRecipients, type MailRecipient } from "./mail-recipients.ts";
import type { Notifications } from "./notifications-context.ts";

// AP14: the email that asks for an approval has two links. They identify the approver, who needs no session, and show a page
// that asks for confirmation; only its form decides, because mail scanners open every link. The signature covers the
// revision of the approval, which grows with the decision: a link works once, and not after the task was assigned again.

export type Decision = "approved" | "rejected";
export const isDecision = (text: string): text is Decision => text === "approved" || text === "rejected";

type ApprovalRow = {
  id: number;
  revision: number;
  status: string;
  account: string;
  task: number;
  subject: string;
  decided_by: string | null;
};
const selectApproval = jsonStatement<ApprovalRow>(
  `SELECT a.id, a.revision, a.status, a.account_id AS account, t.id AS task, t.subject,
  (SELECT string_agg(p.name, ', ') FROM task_approvals o JOIN people p ON p.id = o.approver_id WHERE o.task_id = t.id AND o.account_id = t.account_id AND o.status IN ('approved', 'rejected')) AS decided_by
FROM task_approvals a JOIN tasks t ON t.id = a.task_id AND t.account_id = a.account_id WHERE a.id = $1 AND a.approver_id = $2`,
);

const listParts = (approval: number, person: number, revision: number, decision: Decision): LinkParts => [
  "approval",
  approval,
  person,
  revision,
  decision,
];

export type DecisionLinks = Readonly<Record<Decision, string>>;
export type AskedApproval = { links: DecisionLinks; request: ApprovalBackground["request"] };

/** The links for an email about an approval, and its subject; null: the approval is no longer pending. */
export async function loadAskedApproval(
  { engine, secret, origin }: Notifications,
  approval: number,
  person: number,
): Promise<AskedApproval | null> {
  const row = await queryFirst(engine.database, selectApproval, [approval, person]);
  if (row?.status !== "assigned") return null;
  const build = (decision: Decision) =>
    `${origin()}/approvals/${approval}/${person}/${decision}/${signLink(secret, listParts(approval, person, row.revision, decision))}`;
  return {
    links: { approved: build("approved"), rejected: build("rejected") },
    request: await loadRequest(engine, row),
  };
}

/** The request that the approval is about. */
const loadRequest = async (engine: Engine, { account, task }: ApprovalRow): Promise<ApprovalBackground["request"]> =>
  (await loadApprovalBackgrounds(engine, account, [task])).get(task)?.request ?? null;

export type ApprovalLink = { approval: number; person: number; decision: Decision; signature: string };
export type VerifiedApproval = {
  row: ApprovalRow;
  request: ApprovalBackground["request"];
  reader: MailRecipient;
  decision: Decision;
};

/** The decision of a link. "used": it was valid, and the approval has been decided since; null: it was never valid. */
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
  if (row.status === "assigned" && matches(row.revision))
    return { row, request: await loadRequest(engine, row), reader, decision };
  const earlier = Array.from({ length: Math.min(row.revision, maxRevisions) }, (_, back) => row.revision - back);
  return earlier.some(matches) ? { used: true, reader, decidedBy: row.decided_by } : null;
}
/** A link that was valid within this many revisions is reported as used instead of unknown. */
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
