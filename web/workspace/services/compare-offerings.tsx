import { serviceOffering } from "../../../records/configuration/service-offering.ts";
import { useCurrentAccount } from "../../api/current-account.ts";
import type { Row } from "../../api/index.ts";
import { paths } from "../../base/paths.ts";
import { Chip } from "../../elements/chip.tsx";
import { Link } from "../../elements/link.tsx";
import { NamedValue } from "../../fields/named-value.tsx";
import { t } from "../../languages/index.ts";
import { choiceLabel, fieldLabel } from "../../languages/labels.ts";
import { EmptyState } from "../../parts/empty-state.tsx";
import { ErrorPanel } from "../../parts/states/error-panel.tsx";
import { SkeletonRows } from "../../parts/states/skeleton-rows.tsx";
import { useList } from "../../queries/index.ts";
import { offeringTones } from "./offering-status.ts";
import { formatTarget, kindLabel, readTarget, requestKinds } from "./target-kinds.tsx";

const parts = ["response", "resolution"] as const;
const promises = [
  ...["availability", "reliability", "service_hours", "time_zone", "recovery_time_objective"],
  ...["recovery_point_objective", "review_frequency", "report_frequency"],
];
const fields = [
  ...["name", "status", ...promises],
  ...requestKinds.flatMap((kind) => [
    ...parts.flatMap((part) => [`${part}_target_${kind}`, `${part}_target_${kind}_in_days`]),
  ]),
].join(",");

/** The targets of a service's offerings side by side; differences are highlighted. */
export function CompareOfferings({ service }: { service: number }) {
  const { data, error, refetch } = useList(`/services/${service}/service_offerings`, { fields, per_page: "20" });
  if (error !== null) return <ErrorPanel error={error} retry={() => void refetch()} />;
  if (data === undefined) return <SkeletonRows rows={8} />;
  if (data.rows.length === 0) return <EmptyState title={t("service.noOfferings")} />;
  return <CompareTable rows={data.rows} />;
}

function CompareTable({ rows }: { rows: readonly Row[] }) {
  const { account } = useCurrentAccount();
  const differs = (names: readonly string[]): true | undefined =>
    new Set(rows.map((row) => JSON.stringify(names.map((name) => row[name] ?? null)))).size > 1 || undefined;
  return (
    <div className="card scroll-x">
      <table className="target-matrix compare-table" aria-label={t("service.compare")}>
        <thead>
          <tr>
            <th>{t("service.promise")}</th>
            {rows.map((row) => (
              <th key={row.id} scope="col">
                <Link to={paths.record(account.id, serviceOffering, row.id)}>{String(row.name)}</Link>{" "}
                <Chip tone={offeringTones[String(row.status)] ?? "grey"}>
                  {choiceLabel("service_offering.status", String(row.status))}
                </Chip>
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {requestKinds.flatMap((kind) =>
            parts.map((part) => {
              const names = [`${part}_target_${kind}`, `${part}_target_${kind}_in_days`];
              return (
                <tr key={`${kind} ${part}`} data-differs={differs(names)}>
                  <th scope="row">
                    {kindLabel(kind)}{" "}
                    <span className="quiet">{t(part === "response" ? "offering.respond" : "offering.resolve")}</span>
                  </th>
                  {rows.map((row) => (
                    <td key={row.id}>{formatTarget(readTarget(row, part, kind)) || t("sla.bestEffort")}</td>
                  ))}
                </tr>
              );
            }),
          )}
          {promises
            .filter((name) => rows.some((row) => row[name] != null))
            .map((name) => (
              <tr key={name} data-differs={differs([name])}>
                <th scope="row">{fieldLabel(name)}</th>
                {rows.map((row) => (
                  <td key={row.id}>
                    {row[name] == null ? (
                      <span className="quiet">{t("value.none")}</span>
                    ) : (
                      <NamedValue type={serviceOffering} name={name} row={row} />
                    )}
                  </td>
                ))}
              </tr>
            ))}
        </tbody>
      </table>
    </div>
  );
}
