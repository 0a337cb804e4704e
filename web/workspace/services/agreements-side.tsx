import { Button } from "@mantine/core";
import IconAlertTriangle from "@tabler/icons-react/dist/esm/icons/IconAlertTriangle.mjs";
import IconCircleCheck from "@tabler/icons-react/dist/esm/icons/IconCircleCheck.mjs";
import IconCircleX from "@tabler/icons-react/dist/esm/icons/IconCircleX.mjs";
import { useQuery } from "@tanstack/react-query";
import { sla } from "../../../records/configuration/sla.ts";
import { useCurrentAccount } from "../../api/current-account.ts";
import type { Row } from "../../api/index.ts";
import { formatDate } from "../../base/formats.ts";
import { linkTo } from "../../base/history.ts";
import { paths } from "../../base/paths.ts";
import { Chip } from "../../elements/chip.tsx";
import { Icon } from "../../elements/icon.tsx";
import { Link } from "../../elements/link.tsx";
import { ReferencePicker } from "../../fields/pickers/reference-picker.tsx";
import { t } from "../../languages/index.ts";
import { choiceLabel } from "../../languages/labels.ts";
import { EmptyState } from "../../parts/empty-state.tsx";
import { SkeletonRows } from "../../parts/states/skeleton-rows.tsx";
import { useList } from "../../queries/index.ts";
import { getReferenceName, type Reference } from "../../queries/reference.ts";
import { serviceQueries } from "../../queries/workspace/services.ts";
import { agreementTones } from "./offering-status.ts";

type Props = {
  offering: number;
  service: number | null;
  name: string;
  person: Reference | null;
  onPerson(person: Reference | null): void;
};

/** The covered people and the agreements. */
export function AgreementsSide({ offering, service, name, person, onPerson }: Props) {
  const { account, may } = useCurrentAccount();
  const { data } = useList(`/service_offerings/${offering}/slas`, {
    per_page: "50",
    fields: "name,status,coverage,start_date,expiry_date",
  });
  return (
    <div className="agreements">
      <h2 className="settings-title">{t("offering.whoIsCovered")}</h2>
      <ReferencePicker to="person" aria-label={t("offering.whoIsCovered")} value={person} onChange={onPerson} />
      {person !== null && <CoverageAnswer person={person} offering={offering} />}
      <div className="agreements-head">
        <h2 className="settings-title">{t("offering.agreements")}</h2>
        {may("create", sla) && (
          <Button
            variant="subtle"
            size="compact-sm"
            {...linkTo(
              paths.createWith(account.id, sla, {
                ...{ service_offering_id: offering, name, coverage: "organizations_and_descendants" },
              }),
            )}
          >
            {t("offering.newAgreement")}
          </Button>
        )}
      </div>
      {data === undefined ? (
        <SkeletonRows rows={3} />
      ) : data.rows.length === 0 ? (
        <EmptyState title={t("offering.noAgreements")} lead={t("offering.noAgreementsLead")} />
      ) : (
        <ul>
          {data.rows.map((row) => (
            <Agreement key={row.id} row={row} />
          ))}
        </ul>
      )}
      <Uncovered service={service} />
    </div>
  );
}

/** People who use the service without an agreement that covers them. */
function Uncovered({ service }: { service: number | null }) {
  const { api } = useCurrentAccount();
  const { data } = useQuery(serviceQueries.uncovered(api, service));
  if (data === undefined || data.count === 0) return null;
  return (
    <details className="uncovered">
      <summary>
        <Icon of={IconAlertTriangle} color="var(--orange-solid)" />
        {t("offering.uncovered", { count: data.count })}
      </summary>
      <p className="quiet">
        {data.sample.map(({ name }) => name).join(", ")}
        {data.count > data.sample.length && " …"}
      </p>
    </details>
  );
}

const soonDays = 90;

function Agreement({ row }: { row: Row }) {
  const { account, api } = useCurrentAccount();
  const { data: audience } = useQuery(serviceQueries.audience(api, row.id));
  const status = String(row.status);
  const expiry = typeof row.expiry_date === "string" ? row.expiry_date : null;
  const endsSoon = status === "active" && expiry !== null && Date.parse(expiry) - Date.now() < soonDays * 86_400_000;
  const start = typeof row.start_date === "string" ? row.start_date : null;
  const startsLater = start !== null && Date.parse(start) > Date.now();
  return (
    <li className="agreement">
      <div>
        <Link to={paths.record(account.id, sla, row.id)}>{String(row.name)}</Link>
        <Chip tone={endsSoon ? "yellow" : startsLater ? "blue" : (agreementTones[status] ?? "grey")}>
          {endsSoon
            ? t("offering.ends", { date: formatDate(expiry) })
            : startsLater
              ? t("offering.starts", { date: formatDate(start) })
              : choiceLabel("agreement.status", status)}
        </Chip>
      </div>
      <p className="quiet">
        {typeof row.coverage === "string" && choiceLabel("sla.coverage", row.coverage)}
        {audience !== undefined && ` · ${t("offering.people", { count: audience.count })}`}
      </p>
    </li>
  );
}

function CoverageAnswer({ person, offering }: { person: Reference; offering: number }) {
  const { api } = useCurrentAccount();
  const { data } = useQuery(serviceQueries.coverages(api, Number(person.id)));
  if (data === undefined) return null;
  const found = data.rows.find((row) => row.service_offering?.id === offering);
  return (
    <div className="coverage-answer" data-tone={found === undefined ? "red" : "green"} role="status">
      <Icon of={found === undefined ? IconCircleX : IconCircleCheck} />
      <div>
        <b>
          {found === undefined
            ? t("offering.notCoveredName", { person: getReferenceName(person) })
            : t("offering.coveredBy", { sla: found.name })}
        </b>
        {found !== undefined && (
          <p className="quiet">
            {typeof found.coverage === "string" && choiceLabel("sla.coverage", found.coverage)}
            {typeof found.start_date === "string" &&
              ` · ${t("offering.since", { date: formatDate(found.start_date) })}`}
          </p>
        )}
      </div>
    </div>
  );
}
