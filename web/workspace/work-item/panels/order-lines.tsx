import { useQuery } from "@tanstack/react-query";
import { useCurrentAccount } from "../../../api/current-account.ts";
import { t } from "../../../languages/index.ts";
import { OrderedLines } from "../../../parts/order/ordered-lines.tsx";
import { requestQueries } from "../../../queries/work/requests.ts";
import { getReferencedName } from "../page-parts.ts";
import type { PanelProps } from "./panel-props.ts";

/** The lines of the request's order, with quantities and prices. */
export default function OrderLines({ row }: PanelProps) {
  const { api } = useCurrentAccount();
  const { data: lines = [] } = useQuery(requestQueries.orderLines(api, row.id));
  if (lines.length === 0) return null;
  return (
    <section className="text-block" aria-label={t("request.order")}>
      <div className="text-block-head">
        <h2>{t("request.order")}</h2>
      </div>
      <OrderedLines lines={lines} orderedFor={getReferencedName(row, "requested_for")} />
    </section>
  );
}
