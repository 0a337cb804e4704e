import { invoice } from "../../../records/configuration/invoice.ts";
import { Invalid } from "../../base/errors.ts";
import { statement } from "../../database/database.ts";
import { type Change, type LinkContext, rulesFor, steps } from "../../engine/rules.ts";
import { buildLinkedToParentCondition } from "../shared/parent-condition.ts";

// CO38: what an invoice is about decides its type, and it is about one thing.

type InvoiceChange = Change<typeof invoice>;

const subjects = ["workflow", "project", "sla", "flsa", "contract"] as const;
const members = [...subjects, "ci_ids"].join(", ");

function listSubjects({ after }: InvoiceChange): ((typeof subjects)[number] | "cis")[] {
  const named = subjects.filter((name) => after[name] !== null);
  return (after.cis ?? []).length === 0 ? named : [...named, "cis"];
}

function requireOneSubject(change: InvoiceChange): void {
  if (listSubjects(change).length !== 1) change.problem("base", "must have exactly one of {members}", { members });
}

function requireAmortizationPeriod({ after, problem }: InvoiceChange): void {
  if (after.amortize !== true) return;
  if (after.amortization_start === null) problem("amortization_start", "can't be blank");
  if (after.amortization_end === null) problem("amortization_end", "can't be blank");
}

const countCis = statement("SELECT count(*) FROM invoice_cis WHERE invoice_id = $1 AND account_id = $2");

/** Linking and unlinking items must leave the invoice about one thing. */
async function checkLinkedCis({ tx, id, account, values }: LinkContext<typeof invoice>): Promise<void> {
  const isAboutRecord = subjects.some((name) => values[name] !== null);
  const [row] = await tx.query(countCis, [id, account]);
  if (isAboutRecord === Number(row?.[0]) > 0)
    throw new Invalid([["base", "must have exactly one of {members}", { members }]]);
}

/** The product of two decimals, rounded to cents. Decimals are texts, so that no digit is lost. */
export function multiplyToCents(a: string, b: string): string {
  const [x, y] = [parseDecimal(a), parseDecimal(b)];
  const digits = x.digits + y.digits;
  const product = x.value * y.value;
  const size = product < 0n ? -product : product;
  const cents = digits <= 2 ? size * 10n ** BigInt(2 - digits) : roundHalfUp(size, 10n ** BigInt(digits - 2));
  const text = cents.toString().padStart(3, "0");
  return `${product < 0n && cents > 0n ? "-" : ""}${text.slice(0, -2)}.${text.slice(-2)}`;
}

const roundHalfUp = (value: bigint, divisor: bigint): bigint => (value + divisor / 2n) / divisor;

function parseDecimal(text: string): { value: bigint; digits: number } {
  const [whole = "0", fraction = ""] = text.split(".");
  return { value: BigInt(whole + fraction), digits: fraction.length };
}

export const invoiceRules = rulesFor(invoice, {
  conditions: {
    "is about that configuration item": buildLinkedToParentCondition("invoice of ci", {
      table: "invoice_cis",
      own: "invoice_id",
      parent: "ci_id",
    }),
  },
  beforeSave: steps(requireOneSubject, requireAmortizationPeriod),
  derive: {
    "quantity times unit_price": ({ after: { quantity, unit_price } }) =>
      quantity === null || unit_price === null ? null : multiplyToCents(quantity, unit_price),
    "what it is about": (change) => listSubjects(change)[0] ?? null,
  },
  afterLinkChange: { cis: checkLinkedCis },
  conflictKeys: () => [],
});
