import { useQuery } from "@tanstack/react-query";
import { loadOrderLines } from "../../../api/portal.ts";
import { useCurrentAccount } from "../../../current-account.ts";
import { t } from "../../../languages/index.ts";
import { OrderedLines } from "../../../parts/order/ordered-lines.tsx";
import { nameOf } from "../page-parts.ts";
import { recordKey } from "../queries.ts";
import type { PanelProps } from "./panel-props.ts";

/** What was ordered with the request, how many, and what it costs. */
export default function OrderLines({ type, row }: PanelProps) {
  const { account } = useCurrentAccount();
  const { data: lines = [] } = useQuery({
    queryKey: [...recordKey(account.id, type, row.id), "order lines"],
    queryFn: () => loadOrderLines(account.id, row.id),
  });
  if (lines.length === 0) return null;
  return (
    <section className="text-block" aria-label={t("request.order")}>
      <div className="text-block-head">
        <h2>{t("request.order")}</h2>
      </div>
      <OrderedLines lines={lines} orderedFor={nameOf(row, "requested_for")} />
    </section>
  );
}
