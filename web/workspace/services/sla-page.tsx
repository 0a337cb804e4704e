import IconPlayerPlay from "@tabler/icons-react/dist/esm/icons/IconPlayerPlay.mjs";
import IconRefresh from "@tabler/icons-react/dist/esm/icons/IconRefresh.mjs";
import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { service as serviceType } from "../../../records/configuration/service.ts";
import { serviceOffering } from "../../../records/configuration/service-offering.ts";
import type { RecordType } from "../../../records/vocabulary/index.ts";
import { request } from "../../../records/work/request.ts";
import { useCurrentAccount } from "../../api/current-account.ts";
import type { Row } from "../../api/index.ts";
import { formatDate } from "../../base/formats.ts";
import { navigateTo } from "../../base/history.ts";
import { paths } from "../../base/paths.ts";
import { Chip } from "../../elements/chip.tsx";
import { Link } from "../../elements/link.tsx";
import { NamedValue } from "../../fields/named-value.tsx";
import { ReferencePicker } from "../../fields/pickers/reference-picker.tsx";
import { t } from "../../languages/index.ts";
import { choiceLabel, collectionLabel, fieldLabel } from "../../languages/labels.ts";
import { useNow } from "../../parts/now.ts";
import { PropertyRow } from "../../parts/property-row.tsx";
import { SkeletonRows } from "../../parts/states/skeleton-rows.tsx";
import { useList } from "../../queries/index.ts";
import { getReferenceName, type Reference, readReference } from "../../queries/reference.ts";
import { serviceQueries } from "../../queries/workspace/services.ts";
import { buildHistoryTab, buildListTabs, LoadedRecord, RecordFrame, useIsWritable } from "../records/record-frame.tsx";
import { buildCasePath } from "./case-address.ts";
import { agreementTones } from "./offering-status.ts";
import { RenewDialog } from "./renew-dialog.tsx";
import { kindLabel, requestKinds } from "./target-kinds.tsx";
import { MetShare, useTargetsMet } from "./targets-met.tsx";
import { WorkLine } from "./work-line.tsx";
import "../../styles/areas/services.css";

// The page of a service level agreement: its coverage, its dates, and the share of met targets.

export const SlaScreen = ({ type, id }: { type: RecordType; id: string }) => (
  <LoadedRecord type={type} id={id}>
    {(row) => <SlaPage type={type} row={row} />}
  </LoadedRecord>
);

const coverageTabs = [
  "customer_representatives",
  "organizations",
  "sites",
  "people",
  "skill_pools",
  "service_instances",
];
const furtherTabs = ["coverage_groups", "invoices", "effort_class_rateIDs"];
const sideFields = [
  ...["service_offering", "service_instance", "customer", "customer_account", "service_level_manager"],
  ...["agreementID", "use_knowledge_from_service_provider", "remarks", "source", "sourceID"],
];
const soonDays = 90;

/** The lists that this agreement's coverage uses, and its contacts. */
const pickCoverageTabs = (type: RecordType, row: Row): string[] =>
  coverageTabs.filter((key) => {
    const when = type.links[key]?.when;
    if (key === "service_instances") return row.coverage === "service_instances";
    return when === undefined || when.is.includes(String(row[when.field]));
  });

function SlaPage({ type, row }: { type: RecordType; row: Row }) {
  const { account, may } = useCurrentAccount();
  const [renewing, setRenewing] = useState(false);
  const now = useNow();
  const writable = useIsWritable(type, row);
  const offering = readReference(row.service_offering);
  const instance = readReference(row.service_instance);
  const status = String(row.status);
  const expiry = typeof row.expiry_date === "string" ? row.expiry_date : null;
  const endsSoon = status === "active" && expiry !== null && Date.parse(expiry) - now < soonDays * 86_400_000;
  return (
    <RecordFrame
      type={type}
      row={row}
      name={String(row.name)}
      trail={[
        { label: collectionLabel(serviceType), path: paths.list(account.id, serviceType) },
        ...(offering === null
          ? []
          : [{ label: getReferenceName(offering), path: paths.record(account.id, serviceOffering, offering.id) }]),
      ]}
      chips={
        <>
          <Chip tone={agreementTones[status] ?? "grey"}>{choiceLabel("agreement.status", status)}</Chip>
          {endsSoon && <Chip tone="yellow">{t("offering.ends", { date: formatDate(expiry) })}</Chip>}
        </>
      }
      tabs={[
        { key: "overview", label: t("ci.overview"), content: () => <SlaOverview row={row} /> },
        ...buildListTabs(type, row, writable, [...pickCoverageTabs(type, row), ...furtherTabs]),
        buildHistoryTab(type, row),
      ]}
      panelClass="offering-panel"
      side={{ label: t("record.details"), content: <SlaSide type={type} row={row} /> }}
      actions={[
        {
          ...{ id: "sla.simulate", group: "record", icon: IconPlayerPlay, name: t("offering.simulateThis") },
          when: offering !== null,
          run: () =>
            navigateTo(
              buildCasePath(
                account.id,
                Number(offering?.id),
                instance === null ? {} : { instance: Number(instance.id) },
              ),
            ),
        },
        {
          ...{ id: "sla.renew", group: "record", icon: IconRefresh, name: t("agreement.renew") },
          when: writable && may("create", type),
          run: () => setRenewing(true),
        },
      ]}
    >
      {renewing && <RenewDialog type={type} row={row} onClose={() => setRenewing(false)} />}
    </RecordFrame>
  );
}

function SlaOverview({ row }: { row: Row }) {
  return (
    <>
      <div className="ci-cards">
        <Coverage row={row} />
        <Attainment sla={row.id} />
      </div>
      <AffectedRequests sla={row.id} />
    </>
  );
}

/** The number of covered people, some of them, and whether a given person is covered. */
function Coverage({ row }: { row: Row }) {
  const { api } = useCurrentAccount();
  const { data: audience } = useQuery(serviceQueries.audience(api, row.id));
  const [person, setPerson] = useState<Reference | null>(null);
  const { data: coverages } = useQuery(serviceQueries.coverages(api, person === null ? null : Number(person.id)));
  const covered = coverages?.rows.some(({ id }) => id === row.id);
  return (
    <section className="card ci-card" aria-labelledby="sla-coverage">
      <h2 id="sla-coverage">{fieldLabel("coverage")}</h2>
      <p>
        {typeof row.coverage === "string" ? choiceLabel("sla.coverage", row.coverage) : t("agreement.noCoverage")}
        {audience !== undefined && ` · ${t("offering.people", { count: audience.count })}`}
      </p>
      {audience !== undefined && audience.sample.length > 0 && (
        <p className="ci-quiet">
          {audience.sample.map(({ name }) => name).join(", ")}
          {audience.count > audience.sample.length && " …"}
        </p>
      )}
      <div className="coverage-question">
        <ReferencePicker to="person" label={t("offering.whoIsCovered")} value={person} onChange={setPerson} />
      </div>
      {person !== null && covered !== undefined && (
        <div className="coverage-answer" data-tone={covered ? "green" : "red"} role="status">
          <b>{t(covered ? "agreement.covers" : "offering.notCoveredName", { person: getReferenceName(person) })}</b>
        </div>
      )}
    </section>
  );
}

function Attainment({ sla }: { sla: number }) {
  const met = useTargetsMet({ sla: String(sla) });
  const kinds = requestKinds.filter((kind) => (met?.get(kind)?.count ?? 0) > 0);
  return (
    <section className="card ci-card" aria-labelledby="sla-met">
      <h2 id="sla-met">{t("offering.met")}</h2>
      {met !== undefined && kinds.length === 0 && <p className="ci-quiet">{t("agreement.nothingMeasured")}</p>}
      {kinds.map((kind) => (
        <div key={kind} className="met-line">
          <span>{kindLabel(kind)}</span>
          <MetShare share={met?.get(kind)} />
        </div>
      ))}
    </section>
  );
}

const shownRequests = 12;

function AffectedRequests({ sla }: { sla: number }) {
  const { account } = useCurrentAccount();
  const { data } = useList("/requests", {
    ...{ sla: String(sla), per_page: String(shownRequests), fields: "subject,status,category,next_target_at" },
  });
  return (
    <section className="card ci-card" aria-labelledby="sla-requests">
      <div className="service-card-head">
        <h2 id="sla-requests">{t("agreement.requests")}</h2>
        <Link to={`${paths.list(account.id, request)}?sla=${sla}`}>{t("agreement.allRequests")}</Link>
      </div>
      {data === undefined && <SkeletonRows rows={4} />}
      {data?.rows.length === 0 && <p className="ci-quiet">{t("agreement.noRequests")}</p>}
      {data?.rows.map((row) => (
        <WorkLine key={row.id} row={row} />
      ))}
    </section>
  );
}

function SlaSide({ type, row }: { type: RecordType; row: Row }) {
  const { data } = useList(`/slas/${row.id}/customer_representatives`, { fields: "name", per_page: "20" });
  const shown = sideFields.filter((name) => row[name] != null && row[name] !== "" && row[name] !== false);
  return (
    <div className="ci-side">
      <div className="ci-side-group">
        {["start_date", "expiry_date", "notice_date"].map((name) => (
          <PropertyRow key={name} label={fieldLabel(name)}>
            <AgreementDate row={row} name={name} />
          </PropertyRow>
        ))}
      </div>
      <div className="ci-side-group">
        {shown.map((name) => (
          <PropertyRow key={name} label={fieldLabel(name)}>
            <NamedValue type={type} name={name} row={row} />
          </PropertyRow>
        ))}
      </div>
      {data !== undefined && data.rows.length > 0 && (
        <div className="ci-side-group">
          <PropertyRow label={fieldLabel("customer_representatives")}>
            {data.rows.map(({ name }) => String(name)).join(", ")}
          </PropertyRow>
        </div>
      )}
    </div>
  );
}

/** An end or notice date that is near is highlighted. */
function AgreementDate({ row, name }: { row: Row; name: string }) {
  const now = useNow();
  const date = row[name];
  if (typeof date !== "string") return <span className="quiet">{t("value.none")}</span>;
  const isNear = name !== "start_date" && row.status === "active" && Date.parse(date) - now < soonDays * 86_400_000;
  if (!isNear) return formatDate(date);
  return <Chip tone={Date.parse(date) < now ? "red" : "orange"}>{formatDate(date)}</Chip>;
}
