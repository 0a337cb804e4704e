import { useQuery } from "@tanstack/react-query";
import { portalApi } from "../../api/portal.ts";
import type { PortalOrderedLine } from "../../api.ts";
import { useCurrentAccount } from "../../current-account.ts";
import { currentLocale, t } from "../../languages/index.ts";
import { Markup } from "../../parts/markup/markup.tsx";

/** What the decision is about: for whom, asked by whom, what is ordered at which price, and why. */
export function ApprovalBackground({ task }: { task: number }) {
  const { account } = useCurrentAccount();
  const { data } = useQuery({
    queryKey: [account.id, "approval background", task],
    queryFn: () => portalApi(account.id).approval(String(task)),
  });
  const request = data?.request;
  if (request == null) return null;
  return (
    <div className="decision-background">
      <p>
        <b>{request.subject}</b>
      </p>
      <p>
        {request.requested_for !== null && t("task.decision.for", { name: request.requested_for })}
        {request.requested_by !== null && <> · {t("task.decision.requestedBy", { name: request.requested_by })}</>}
      </p>
      {request.lines.length > 0 && (
        <ul>
          {request.lines.map((line, index) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: the lines of an order keep their places
            <li key={index}>
              {Number(line.quantity)} × {line.name}
              {describePrices(line).map((price) => ` · ${price}`)}
            </li>
          ))}
        </ul>
      )}
      {request.note !== null && <Markup text={request.note} />}
    </div>
  );
}

function describePrices(line: PortalOrderedLine): string[] {
  const format = (price: string, currency: string | null) =>
    new Intl.NumberFormat(currentLocale(), { style: "currency", currency: currency ?? "EUR" }).format(
      Number(price) * Number(line.quantity),
    );
  return [
    ...(line.price === null ? [] : [format(line.price, line.price_currency)]),
    ...(line.recurring_price === null
      ? []
      : [
          t("task.decision.recurring", {
            period: line.recurring_period ?? "other",
            price: format(line.recurring_price, line.recurring_price_currency),
          }),
        ]),
  ];
}
