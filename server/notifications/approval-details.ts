import type { OrderedLine } from "../../records/answers/portal-offers.ts";
import { formatMoney, listPrices, type Price, sumPrices } from "../../records/figures/order-prices.ts";
import { fieldLabel } from "../../records/languages/index.ts";
import { toIntlLocale } from "../../records/languages/intl-locale.ts";
import { getMailTexts } from "../../records/notifications/index.ts";
import { describeLine } from "../rules/asset/order-lines.ts";
import type { ApprovalBackground } from "../rules/communication/approval-background.ts";
import type { FigureTable } from "./figure-tables.ts";
import { fillPlaceholders } from "./format-values.ts";
import type { MailRecipient } from "./mail-recipients.ts";

// The details that an approver needs to decide, in the approver's language: for the email and for the page of its links.

/** `people`: who asks, and for whom; `order`: what is ordered, and the total as its last row; `reason`: markup */
export type ApprovalDetails = { people: TableRows; order: TableRows; reason: string | null };
type TableRows = FigureTable["rows"];

export function describeApproval(
  reader: MailRecipient,
  { requested_by, requested_for, note, lines }: NonNullable<ApprovalBackground["request"]>,
): ApprovalDetails {
  const { locale } = reader.me;
  const row = (field: string, value: string | null): TableRows =>
    value === null ? [] : [[fieldLabel(locale, field), value]];
  const total = sumPrices(lines)
    .map((price) => formatPrice(locale, price))
    .join(" + ");
  const order = lines.map((line): TableRows[number] => [
    nameLine(locale, line, requested_for),
    listPrices(line)
      .map((price) => formatPrice(locale, price))
      .join(", "),
  ]);
  return {
    people: [...row("requested_by", requested_by), ...row("requested_for", requested_for)],
    order: total === "" ? order : [...order, [getMailTexts(locale).order.total, total]],
    reason: note,
  };
}

/** "2 × Laptop", and for whom, where that is someone else than the order is for. */
function nameLine(locale: string, line: OrderedLine, orderedFor: string | null): string {
  const { requested_for: name } = line;
  const text = describeLine(line);
  if (name === null || name === orderedFor) return text;
  return fillPlaceholders(getMailTexts(locale).order.lineFor, { line: text, name });
}

function formatPrice(locale: string, { amount, currency, period }: Price): string {
  const price = formatMoney(toIntlLocale(locale), amount, currency);
  const { recurring } = getMailTexts(locale).order;
  if (period === null) return price;
  return fillPlaceholders(recurring[period === "monthly" || period === "yearly" ? period : "other"], { price });
}
