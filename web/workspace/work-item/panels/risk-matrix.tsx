import { Popover } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import type { RecordType } from "../../../../records/vocabulary/index.ts";
import { useCurrentAccount } from "../../../api/current-account.ts";
import type { Row } from "../../../api/index.ts";
import { paths } from "../../../base/paths.ts";
import type { ToneName } from "../../../base/tokens.ts";
import { Link } from "../../../elements/link.tsx";
import { t } from "../../../languages/index.ts";
import { fieldLabel } from "../../../languages/labels.ts";
import { StatusIcon, statusLabel } from "../../../parts/work/status.tsx";
import { riskQueries } from "../../../queries/work/releases-and-risks.ts";
import { readText } from "../page-parts.ts";
import type { PanelProps } from "./panel-props.ts";

const columns = ["anticipated", "materialized"] as const;
/** From the most to the least severe; with more severities the last tone repeats. */
const tones: readonly ToneName[] = ["red", "orange", "yellow", "green"];

/** Severity by proximity: the position of this risk among the account's open ones. */
export default function RiskMatrix({ type, row }: PanelProps) {
  const { api } = useCurrentAccount();
  const severities = useQuery(riskQueries.severities(api)).data;
  const risks = useQuery(riskQueries.open(api)).data;
  if (severities === undefined || risks === undefined || severities.length === 0) return null;
  // Uses the page's own record, so that a change is shown immediately.
  const all = [...risks.filter(({ id }) => id !== row.id), row];
  const inCell = (severity: string, status: string) =>
    all.filter((each) => readText(each, "severity") === severity && readText(each, "status") === status);
  return (
    <section className="text-block" aria-label={t("risk.matrix")}>
      <div className="text-block-head">
        <h2>{t("risk.matrix")}</h2>
        <span className="quiet">{t("risk.matrixLead")}</span>
      </div>
      <table className="matrix">
        <thead>
          <tr>
            <th scope="col">
              <span className="spoken">{fieldLabel("severity")}</span>
            </th>
            {columns.map((status) => (
              <th key={status} scope="col">
                {statusLabel(type.name, status)}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {severities.map(({ reference, name }, at) => (
            <tr key={reference}>
              <th scope="row">{name}</th>
              {columns.map((status) => (
                <td key={status}>
                  <MatrixCell
                    type={type}
                    risks={inCell(reference ?? "", status)}
                    own={row.id}
                    tone={tones[Math.min(at, tones.length - 1)] ?? "green"}
                    label={t("risk.cell", { severity: name, status: statusLabel(type.name, status) })}
                  />
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  );
}

type CellProps = { type: RecordType; risks: readonly Row[]; own: number; tone: ToneName; label: string };

function MatrixCell({ type, risks, own, tone, label }: CellProps) {
  const { account } = useCurrentAccount();
  const isHere = risks.some(({ id }) => id === own);
  if (risks.length === 0) return <span className="matrix-cell" data-tone={tone} data-empty="true" />;
  return (
    <Popover position="bottom" width={300} trapFocus returnFocus>
      <Popover.Target>
        <button type="button" className="matrix-cell" data-tone={tone} data-here={isHere || undefined}>
          <span className="spoken">
            {t(isHere ? "risk.countHere" : "risk.count", { count: risks.length, cell: label })}
          </span>
          <span className="numbers" aria-hidden="true">
            {risks.length}
          </span>
          {isHere && (
            <span className="matrix-here" aria-hidden="true">
              {t("risk.here")}
            </span>
          )}
        </button>
      </Popover.Target>
      <Popover.Dropdown aria-label={label}>
        <ul className="plain-list">
          {risks.map((risk) => (
            <li key={risk.id}>
              <StatusIcon type={type.name} status={readText(risk, "status")} size={14} silent />
              {risk.id === own ? (
                <b>{readText(risk, "subject")}</b>
              ) : (
                <Link to={paths.record(account.id, type, risk.id)}>{readText(risk, "subject")}</Link>
              )}
            </li>
          ))}
        </ul>
      </Popover.Dropdown>
    </Popover>
  );
}
