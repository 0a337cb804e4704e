import type { RecordType } from "../../../records/vocabulary/index.ts";
import { useCurrentAccount } from "../../api/current-account.ts";
import type { Row } from "../../api/index.ts";
import { linkTo } from "../../base/history.ts";
import { paths } from "../../base/paths.ts";
import type { ToneName } from "../../base/tokens.ts";
import { Chip } from "../../elements/chip.tsx";
import { tip } from "../../elements/tip.tsx";
import { currentLocale, t } from "../../languages/index.ts";
import { Avatar } from "../../parts/people/avatar.tsx";
import { StatusChip } from "../../parts/work/status.tsx";
import { useSubList } from "../../queries/record-page.ts";
import { toCount } from "../../queries/total.ts";
import { getReference, getReferencedName, readText } from "../work-item/page-parts.ts";
import type { MoneySpent } from "./project-figures.ts";

type Props = {
  type: RecordType;
  row: Row;
  endsAt: string | null;
  lateDays: number | null;
  /** minutes */
  spent: number | null;
  /** by currency; null: the reader has no permission */
  money: readonly MoneySpent[] | null;
};

const riskTones: Readonly<Record<string, ToneName>> = { low: "green", medium: "yellow", high: "red" };

const formatMoney = (amount: number, currency: string): string => {
  try {
    return new Intl.NumberFormat(currentLocale(), { style: "currency", currency, maximumFractionDigits: 0 }).format(
      amount,
    );
  } catch {
    return new Intl.NumberFormat(currentLocale()).format(amount);
  }
};
const readNumber = (row: Row, name: string): number | null => {
  const value = Number(row[name] ?? Number.NaN);
  return Number.isNaN(value) ? null : value;
};

type BudgetProps = { budget: number | null; currency: string; money: Props["money"] };

/**
 * The spent share of the budget. Amounts in other currencies are listed separately, because there is no exchange rate.
 */
function Budget({ budget, currency, money }: BudgetProps) {
  const sums = (money ?? []).map(({ currency: each, effort, purchases }) => ({
    currency: each.toUpperCase(),
    sum: effort + purchases,
    details: t("projects.spentOn", {
      effort: formatMoney(effort, each.toUpperCase()),
      purchases: formatMoney(purchases, each.toUpperCase()),
    }),
  }));
  const hasBudget = budget !== null && budget > 0;
  const spent = sums.find((each) => each.currency === currency);
  if (!hasBudget && sums.length === 0) return null;
  const isOver = hasBudget && spent !== undefined && spent.sum > budget;
  return (
    <span>
      <span className="quiet">{t("projects.budget")}</span>{" "}
      {money !== null && (
        <>
          <b className={isOver ? "over-limit" : undefined} {...tip(spent?.details)}>
            {formatMoney(spent?.sum ?? 0, currency)}
          </b>{" "}
          {sums
            .filter((each) => each.currency !== currency)
            .map((each) => (
              <b key={each.currency} {...tip(each.details)}>
                {`+ ${formatMoney(each.sum, each.currency)} `}
              </b>
            ))}
        </>
      )}
      {hasBudget &&
        (money === null ? (
          <b>{formatMoney(budget, currency)}</b>
        ) : (
          <span className="quiet">{t("projects.ofMoney", { amount: formatMoney(budget, currency) })}</span>
        ))}
    </span>
  );
}

/** Subject, status, risk; effort, budget and end; and one line of related records. */
export function ProjectHead({ type, row, endsAt, lateDays, spent, money }: Props) {
  const { account } = useCurrentAccount();
  const id = String(row.id);
  const count = { fields: "id", per_page: "1" };
  const [risks, workflows, requests] = [
    useSubList(type, id, "risks", count),
    useSubList(type, id, "workflows", count),
    useSubList(type, id, "requests", count),
  ];
  const riskName = readText(row, "risk_level") || (getReference(row, "risk_level")?.name ?? "");
  const manager = getReference(row, "manager");
  const [effort, budget] = [readNumber(row, "effort"), readNumber(row, "total_cost")];
  const currency = readText(row, "value_currency").toUpperCase() || "EUR";
  const path = paths.record(account.id, type, row.id);
  const link = (tab: string, words: string, total: number | undefined) => {
    if (total === undefined || total === 0) return null;
    const { component: _, ...to } = linkTo(`${path}?tab=${tab}`);
    return <a {...to}>{words}</a>;
  };
  return (
    <header className="workflow-head project-head">
      <div className="workflow-title">
        <h1>{readText(row, "subject")}</h1>
        <StatusChip type="project" status={readText(row, "status")} />
        {riskName !== "" && (
          <Chip tone={riskTones[riskName] ?? "grey"}>
            <span className="project-risk">{t("projects.risk", { level: riskName.replaceAll("_", " ") })}</span>
          </Chip>
        )}
        <span className="project-figures numbers">
          {(effort !== null || (spent ?? 0) > 0) && (
            <span>
              <span className="quiet">{t("projects.effort")}</span>{" "}
              <b>{t("projects.hours", { hours: Math.round((spent ?? 0) / 60) })}</b>{" "}
              {effort !== null && <span className="quiet">{t("projects.ofHours", { hours: effort })}</span>}
            </span>
          )}
          <Budget budget={budget} currency={currency} money={money} />
          {endsAt !== null && (
            <span>
              <span className="quiet">{t("projects.ends")}</span>{" "}
              <b>{new Intl.DateTimeFormat(currentLocale(), { dateStyle: "medium" }).format(Date.parse(endsAt))}</b>{" "}
              {lateDays !== null && lateDays > 0 && (
                <span className="over-limit">{t("projects.late", { count: lateDays })}</span>
              )}
            </span>
          )}
        </span>
      </div>
      <div className="workflow-facts">
        {manager !== null && (
          <span>
            <Avatar person={manager} silent /> {t("workflow.manager", { name: getReferencedName(row, "manager") })}
          </span>
        )}
        <span>{getReferencedName(row, "service")}</span>
        <span>{t("projects.pays", { customer: getReferencedName(row, "customer") })}</span>
        {link("risks", t("projects.risks", { count: toCount(risks.data) }), risks.data?.total)}
        {link("linked", t("projects.workflows", { count: toCount(workflows.data) }), workflows.data?.total)}
        {link("linked", t("projects.requests", { count: toCount(requests.data) }), requests.data?.total)}
      </div>
    </header>
  );
}
