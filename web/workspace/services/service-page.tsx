import { Button } from "@mantine/core";
import IconPlus from "@tabler/icons-react/dist/esm/icons/IconPlus.mjs";
import { service as serviceType } from "../../../records/configuration/service.ts";
import { serviceInstance } from "../../../records/configuration/service-instance.ts";
import { serviceOffering } from "../../../records/configuration/service-offering.ts";
import type { RecordType } from "../../../records/vocabulary/index.ts";
import { request } from "../../../records/work/request.ts";
import { useCurrentAccount } from "../../api/current-account.ts";
import type { Row } from "../../api/index.ts";
import { linkTo } from "../../base/history.ts";
import { paths } from "../../base/paths.ts";
import { Chip } from "../../elements/chip.tsx";
import { Icon } from "../../elements/icon.tsx";
import { Link } from "../../elements/link.tsx";
import { NamedValue } from "../../fields/named-value.tsx";
import { t } from "../../languages/index.ts";
import { choiceLabel, fieldLabel, shortChoiceLabel } from "../../languages/labels.ts";
import { partLabel } from "../../languages/page-labels.ts";
import { PropertyRow } from "../../parts/property-row.tsx";
import { SkeletonRows } from "../../parts/states/skeleton-rows.tsx";
import { typeIcon } from "../../parts/work/type-icon.tsx";
import { useList } from "../../queries/index.ts";
import { getReferenceName, readReference } from "../../queries/reference.ts";
import { buildHistoryTab, buildListTabs, LoadedRecord, RecordFrame, useIsWritable } from "../records/record-frame.tsx";
import { CompareOfferings } from "./compare-offerings.tsx";
import { InstanceTree } from "./instance-tree.tsx";
import { offeringTones } from "./offering-status.ts";
import { WorkLine } from "./work-line.tsx";
import "../../styles/areas/services.css";
import { putInPlace, RowBoundary } from "../../parts/lists/row-boundary.tsx";
import { toCount } from "../../queries/total.ts";

// The page of a service: its owners, its instances, its offerings, and its open work.

export const ServiceScreen = ({ type, id }: { type: RecordType; id: string }) => (
  <LoadedRecord type={type} id={id}>
    {(row) => <ServicePage type={type} row={row} />}
  </LoadedRecord>
);

const listTabs = ["service_instances", "slas", "request_templates", "workflow_templates", "risks"];
/** The people in charge, the most important first. */
const sideGroups: readonly (readonly string[])[] = [
  ["service_owner", "support_team", "first_line_team", "provider"],
  [
    ...["availability_manager", "capacity_manager", "change_manager", "continuity_manager", "knowledge_manager"],
    ...["problem_manager", "release_manager"],
  ],
  ["survey", "keywords", "source", "sourceID"],
];

const readName = (value: unknown): string => {
  const reference = readReference(value);
  return reference === null ? "" : getReferenceName(reference);
};

function ServicePage({ type, row }: { type: RecordType; row: Row }) {
  const writable = useIsWritable(type, row);
  const impact = typeof row.impact === "string" ? row.impact : null;
  const compare = { key: "compare", label: t("service.compare"), content: () => <CompareOfferings service={row.id} /> };
  return (
    <RecordFrame
      type={type}
      row={row}
      name={String(row.name)}
      head={{
        picture: (
          <span className="ci-head-icon">
            <Icon of={typeIcon("service")} size={22} />
          </span>
        ),
        facts: [readName(row.provider), readName(row.support_team)],
      }}
      chips={
        impact === null ? (
          <Chip tone="green">{t("service.healthy")}</Chip>
        ) : (
          <Chip tone={impact === "top" || impact === "high" ? "red" : "orange"}>
            {t("service.impact", { impact: shortChoiceLabel("request.impact", impact) })}
          </Chip>
        )
      }
      tabs={[
        { key: "overview", label: t("ci.overview"), content: () => <ServiceOverview row={row} /> },
        compare,
        ...buildListTabs(type, row, writable, listTabs),
        buildHistoryTab(type, row),
      ]}
      side={{ label: t("record.details"), content: <ServiceSide type={type} row={row} /> }}
    />
  );
}

function ServiceOverview({ row }: { row: Row }) {
  return (
    <div className="ci-overview">
      <Offerings service={row} />
      <Instances service={row} />
      <OpenWork service={row.id} />
    </div>
  );
}

type HeadProps = { id: string; label: string; type: RecordType; initialValues: Record<string, string | number> };

/** The header of a card, with a button that adds a record. */
function CardHead({ id, label, type, initialValues }: HeadProps) {
  const { account, may } = useCurrentAccount();
  return (
    <div className="service-card-head">
      <h2 id={id}>{label}</h2>
      {may("create", type) && (
        <Button
          variant="subtle"
          size="compact-sm"
          leftSection={<Icon of={IconPlus} size={14} />}
          aria-label={t("service.add", { list: label })}
          {...linkTo(paths.createWith(account.id, type, initialValues))}
        >
          {t("tab.add")}
        </Button>
      )}
    </div>
  );
}

function Offerings({ service }: { service: Row }) {
  const { account } = useCurrentAccount();
  const { data } = useList(`/services/${service.id}/service_offerings`, {
    fields: "name,status,summary",
    per_page: "50",
  });
  const label = partLabel("service_offerings", serviceOffering);
  const initialValues = { service_id: service.id, name: String(service.name), status: "available" };
  return (
    <section className="card ci-card" aria-labelledby="service-offerings">
      <CardHead id="service-offerings" label={label} type={serviceOffering} initialValues={initialValues} />
      {data === undefined && <SkeletonRows rows={2} />}
      {data?.rows.length === 0 && <p className="ci-quiet">{t("service.noOfferings")}</p>}
      <ul className="service-list">
        {data?.rows.map((row) => (
          <li key={row.id}>
            <Link to={paths.record(account.id, serviceOffering, row.id)}>{String(row.name)}</Link>
            <span className="quiet truncate">{String(row.summary ?? "")}</span>
            <Chip tone={offeringTones[String(row.status)] ?? "grey"}>
              {choiceLabel("service_offering.status", String(row.status))}
            </Chip>
          </li>
        ))}
      </ul>
    </section>
  );
}

function Instances({ service }: { service: Row }) {
  const { data } = useList(`/services/${service.id}/service_instances`, {
    fields: "name,status,impact",
    per_page: "50",
  });
  const label = partLabel("service_instances", serviceInstance);
  const initialValues = { service_id: service.id, name: String(service.name), status: "in_production" };
  return (
    <section className="card ci-card" aria-labelledby="service-instances">
      <CardHead id="service-instances" label={label} type={serviceInstance} initialValues={initialValues} />
      {data === undefined && <SkeletonRows rows={2} />}
      {data?.rows.length === 0 && <p className="ci-quiet">{t("service.noInstances")}</p>}
      {data !== undefined && data.rows.length > 0 && <InstanceTree rows={data.rows} />}
    </section>
  );
}

const shownRequests = 6;

/** The open work on the service's instances. */
function OpenWork({ service }: { service: number }) {
  const { account } = useCurrentAccount();
  const { data: instances } = useList(`/services/${service}/service_instances`, { fields: "id", per_page: "100" });
  const ids = instances?.rows.map(({ id }) => id).join(",") ?? "";
  return (
    <section className="card ci-card" aria-labelledby="service-work">
      <h2 id="service-work">{t("ci.work")}</h2>
      {instances?.rows.length === 0 && <p className="ci-quiet">{t("ci.noWork")}</p>}
      {ids !== "" && (
        <OpenRequests ids={ids} all={`${paths.list(account.id, request)}?state=open&service_instance=${ids}`} />
      )}
    </section>
  );
}

function OpenRequests({ ids, all }: { ids: string; all: string }) {
  const { data } = useList("/requests/open", {
    ...{ service_instance: ids, per_page: String(shownRequests), fields: "subject,status,category" },
  });
  if (data === undefined) return <SkeletonRows rows={3} />;
  if (data.rows.length === 0) return <p className="ci-quiet">{t("ci.noWork")}</p>;
  return (
    <>
      {data.rows.map((row) => (
        <RowBoundary key={row.id} row={row} frame={putInPlace}>
          {() => <WorkLine row={row} />}
        </RowBoundary>
      ))}
      {data.total > shownRequests && (
        <Link to={all}>
          {t(data.isTotalOld ? "service.allOpenAbout" : "service.allOpen", { count: toCount(data) })}
        </Link>
      )}
    </>
  );
}

function ServiceSide({ type, row }: { type: RecordType; row: Row }) {
  const shown = sideGroups
    .map((names) => names.filter((name) => row[name] != null && row[name] !== "" && name in type.fields))
    .filter((names) => names.length > 0);
  return (
    <div className="ci-side">
      {shown.map((names) => (
        <div key={names[0]} className="ci-side-group">
          {names.map((name) => (
            <PropertyRow key={name} label={fieldLabel(name)}>
              <NamedValue type={type} name={name} row={row} />
            </PropertyRow>
          ))}
        </div>
      ))}
      {row.description != null && row.description !== "" && (
        <div className="ci-side-group">
          <PropertyRow label={fieldLabel("description")}>
            <NamedValue type={serviceType} name="description" row={row} />
          </PropertyRow>
        </div>
      )}
    </div>
  );
}
