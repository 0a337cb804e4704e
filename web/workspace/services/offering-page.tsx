import IconArrowsDiff from "@tabler/icons-react/dist/esm/icons/IconArrowsDiff.mjs";
import { useQueryClient } from "@tanstack/react-query";
import { useNavigate, useSearch } from "@tanstack/react-router";
import { useState } from "react";
import { service as serviceType } from "../../../records/configuration/service.ts";
import type { RecordType } from "../../../records/vocabulary/index.ts";
import { useCurrentAccount } from "../../api/current-account.ts";
import type { Row } from "../../api/index.ts";
import { navigateTo } from "../../base/history.ts";
import { paths } from "../../base/paths.ts";
import { Chip } from "../../elements/chip.tsx";
import { NamedValue } from "../../fields/named-value.tsx";
import { t } from "../../languages/index.ts";
import { choiceLabel, collectionLabel, fieldLabel } from "../../languages/labels.ts";
import { PropertyRow } from "../../parts/property-row.tsx";
import { recordQueries } from "../../queries/records.ts";
import { getReferenceName, type Reference, readReference } from "../../queries/reference.ts";
import { type Case, serviceQueries } from "../../queries/workspace/services.ts";
import {
  buildHistoryTab,
  buildListTabs,
  LoadedRecord,
  RecordFrame,
  type RecordTab,
  useIsWritable,
} from "../records/record-frame.tsx";
import { AgreementsSide } from "./agreements-side.tsx";
import { offeringTones } from "./offering-status.ts";
import { SimulateCard } from "./simulate-card.tsx";
import { TargetMatrix } from "./target-matrix.tsx";
import { useTargetsMet } from "./targets-met.tsx";
import "../../styles/areas/services.css";

/** The page of a service offering: its targets, its coverage, and a simulation. */
export const OfferingScreen = ({ type, id }: { type: RecordType; id: string }) => (
  <LoadedRecord type={type} id={id}>
    {(row) => <OfferingPage type={type} row={row} />}
  </LoadedRecord>
);

const promises = ["availability", "reliability", "time_zone", "service_hours", "review_frequency", "report_frequency"];
const texts = [
  "summary",
  "charges",
  "continuity",
  "limitations",
  "penalties",
  "performance",
  "prerequisites",
  "termination",
];
const children = ["standard_service_requests", "effort_class_rates", "rfc_type_rates"];

const isObject = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === "object" && value !== null;

function parseCase(text: unknown): Readonly<Record<string, unknown>> {
  try {
    const parsed: unknown = typeof text === "string" ? JSON.parse(text) : null;
    return isObject(parsed) ? parsed : {};
  } catch {
    return {}; // the address was truncated
  }
}

/** The case in the address: a link opens the same simulation. */
function readCase(search: Readonly<Record<string, unknown>>): { value: Case; person: Reference | null } {
  const parameters = parseCase(search.case);
  const now = new Date(Date.now() - new Date().getTimezoneOffset() * 60_000).toISOString().slice(0, 16);
  const person = typeof parameters.person === "number" ? parameters.person : null;
  const pickText = (value: unknown, standard: string) => (typeof value === "string" ? value : standard);
  const isEvent = (event: unknown): event is Case["events"][number] =>
    isObject(event) && ["at", "status"].every((name) => typeof event[name] === "string");
  return {
    value: {
      ...{ person, instance: typeof parameters.instance === "number" ? parameters.instance : null },
      ...{ category: pickText(parameters.category, "incident"), impact: pickText(parameters.impact, "medium") },
      ...{
        at: pickText(parameters.at, now),
        events: Array.isArray(parameters.events) ? parameters.events.filter(isEvent) : [],
      },
    },
    person: person === null ? null : { id: person },
  };
}

function OfferingPage({ type, row }: { type: RecordType; row: Row }) {
  const { account, api } = useCurrentAccount();
  const queries = useQueryClient();
  const navigate = useNavigate();
  const search = useSearch({ strict: false, select: (search: { tab?: string; case?: unknown }) => search });
  const [first] = useState(() => readCase(search));
  const [wanted, setWanted] = useState<Case>(first.value);
  const [person, setPerson] = useState<Reference | null>(first.person);
  const writable = useIsWritable(type, row);
  const met = useTargetsMet({ service_offering: String(row.id) });
  const service = readReference(row.service);
  const save = async (change: Record<string, unknown>) => {
    await api.change(`/${type.collection}/${row.id}`, change);
    await queries.invalidateQueries({ queryKey: recordQueries.all(api, type.name, row.id) });
    void queries.invalidateQueries({ queryKey: serviceQueries.simulations(api) });
  };
  const keep = (value: Case) => {
    setWanted(value);
    void navigate({ to: ".", search: { ...search, case: JSON.stringify(value) }, replace: true });
  };
  const choosePerson = (chosen: Reference | null) => {
    setPerson(chosen);
    keep({ ...wanted, person: chosen === null ? null : Number(chosen.id) });
  };
  const tabs: [RecordTab, ...RecordTab[]] = [
    {
      key: "targets",
      label: t("offering.targets"),
      content: () => (
        <>
          <TargetMatrix
            row={row}
            writable={writable}
            marked={person === null ? null : wanted.category === "incident" ? wanted.impact : wanted.category}
            met={met}
            onSave={save}
          />
          <Promises type={type} row={row} />
          <SimulateCard
            offering={row.id}
            service={service}
            value={wanted}
            person={person}
            onChange={keep}
            onPerson={choosePerson}
          />
        </>
      ),
    },
    ...buildListTabs(type, row, writable, ["slas", ...children]),
    {
      key: "text",
      label: t("offering.text"),
      content: () => {
        const filled = texts.filter((field) => row[field] != null && row[field] !== "");
        return filled.length === 0 ? (
          <p className="quiet">{t("offering.noText")}</p>
        ) : (
          filled.map((field) => (
            <PropertyRow key={field} label={fieldLabel(field)}>
              <NamedValue type={type} name={field} row={row} />
            </PropertyRow>
          ))
        );
      },
    },
    buildHistoryTab(type, row),
  ];
  const status = String(row.status);
  return (
    <RecordFrame
      type={type}
      row={row}
      name={String(row.name)}
      trail={[
        { label: collectionLabel(serviceType), path: paths.list(account.id, serviceType) },
        ...(service === null
          ? []
          : [{ label: getReferenceName(service), path: paths.record(account.id, serviceType, Number(service.id)) }]),
      ]}
      chips={<Chip tone={offeringTones[status] ?? "grey"}>{choiceLabel("service_offering.status", status)}</Chip>}
      tabs={tabs}
      panelClass="offering-panel"
      actions={[
        {
          ...{ id: "offering.compare", group: "record", icon: IconArrowsDiff, name: t("service.compare") },
          when: service !== null,
          run: () => navigateTo(`${paths.record(account.id, serviceType, Number(service?.id))}?tab=compare`),
        },
      ]}
      side={{
        label: t("offering.whoIsCovered"),
        content: (
          <AgreementsSide
            offering={row.id}
            service={service === null ? null : Number(service.id)}
            name={String(row.name)}
            person={person}
            onPerson={choosePerson}
          />
        ),
      }}
    />
  );
}

/** The offering's commitments other than its targets. */
function Promises({ type, row }: { type: RecordType; row: Row }) {
  return (
    <dl className="offering-promises">
      {promises
        .filter((field) => row[field] != null)
        .map((field) => (
          <div key={field}>
            <dt>{field === "reliability" ? t("offering.outages") : fieldLabel(field)}</dt>
            <dd>
              {field === "reliability" ? (
                t("offering.outagesAtMost", { count: Number(row[field]) })
              ) : (
                <NamedValue type={type} name={field} row={row} />
              )}
              {field === "availability" && " %"}
            </dd>
          </div>
        ))}
    </dl>
  );
}
