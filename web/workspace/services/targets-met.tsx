import { useQueries } from "@tanstack/react-query";
import { useCurrentAccount } from "../../api/current-account.ts";
import type { Query } from "../../api/index.ts";
import { t } from "../../languages/index.ts";
import { serviceQueries } from "../../queries/workspace/services.ts";

// The share of requests that met their targets: the same count as on dashboards.

const days = 90;
type Share = { count: number; met: number };
/** By kind of request: an impact, or a category other than incident. */
export type TargetsMet = ReadonlyMap<string, Share>;

/** The requests of the last months, for an offering or an agreement. Undefined without permission to count them. */
export function useTargetsMet(filter: Query): TargetsMet | undefined {
  const { api } = useCurrentAccount();
  const since = new Date(Date.now() - days * 86_400_000).toISOString().slice(0, 10);
  const common = { ...filter, completed_at: `>=${since}T00:00:00Z`, measure: "share:targets_met" };
  return useQueries({
    queries: [
      serviceQueries.targetsMet(api, { ...common, category: "incident", by: "impact" }),
      serviceQueries.targetsMet(api, { ...common, by: "category" }),
    ],
    combine: ([byImpact, byCategory]) =>
      byImpact.data === undefined || byCategory.data === undefined
        ? undefined
        : new Map(
            [...byImpact.data.groups, ...byCategory.data.groups].map(({ count, part, impact, category }) => [
              readKey(impact ?? category),
              { count, met: part?.count ?? 0 },
            ]),
          ),
  });
}

/** A group contains its choice, or the choice with its label. */
const readKey = (group: unknown): string =>
  typeof group === "object" && group !== null && "id" in group ? String(group.id) : String(group ?? "");

const pickTone = (percent: number) => (percent >= 95 ? "green" : percent >= 90 ? "yellow" : "red");

/** A bar and a percentage. */
export function MetShare({ share }: { share: Share | undefined }) {
  if (share === undefined || share.count === 0) return <span className="quiet">{t("value.none")}</span>;
  const percent = (share.met / share.count) * 100;
  const words = t("offering.metOf", {
    met: share.met,
    count: share.count,
  });
  return (
    <span className="met-share" data-tone={pickTone(percent)} title={words}>
      <span className="met-bar" aria-hidden="true">
        <span style={{ width: `${percent}%` }} />
      </span>
      <span className="numbers">{t("exchange.percent", { share: Math.round(percent) })}</span>
      <span className="spoken">{words}</span>
    </span>
  );
}
