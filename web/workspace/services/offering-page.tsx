import { Button } from "@mantine/core";
import IconPencil from "@tabler/icons-react/dist/esm/icons/IconPencil.mjs";
import { useQueryClient } from "@tanstack/react-query";
import { useNavigate, useSearch } from "@tanstack/react-router";
import { type ReactNode, useState } from "react";
import { service as serviceType } from "../../../records/configuration/service.ts";
import type { Field, RecordType } from "../../../records/vocabulary/index.ts";
import { ActionButton } from "../../actions/action-button.tsx";
import { useActions } from "../../actions/registry.ts";
import { ApiError, type Row } from "../../api.ts";
import { useCurrentAccount } from "../../current-account.ts";
import { FieldValue } from "../../fields/field-value.tsx";
import { navigateTo } from "../../history.ts";
import { t } from "../../languages/index.ts";
import { choiceLabel, collectionLabel, fieldLabel, partLabel } from "../../languages/labels.ts";
import { Chip } from "../../parts/chip.tsx";
import { PageBar } from "../../parts/page-bar.tsx";
import { PropertyRow } from "../../parts/property-row.tsx";
import { AuditTrail } from "../../parts/records/audit-trail.tsx";
import { ChildRecords } from "../../parts/records/child-records.tsx";
import { RecordActions } from "../../parts/records/record-actions.tsx";
import { RelatedList } from "../../parts/records/related-list.tsx";
import { SidePanel, useRoomForPanel } from "../../parts/side-panel.tsx";
import { ErrorPanel } from "../../parts/states/error-panel.tsx";
import { Forbidden } from "../../parts/states/forbidden.tsx";
import { NotFound } from "../../parts/states/not-found.tsx";
import { SkeletonRows } from "../../parts/states/skeleton-rows.tsx";
import { paths } from "../../paths.ts";
import { useRecord } from "../../queries/index.ts";
import { getReferenceName, type Reference } from "../../queries/reference.ts";
import { findType } from "../../record-types.ts";
import type { ToneName } from "../../tokens.ts";
import { AgreementsSide } from "./agreements-side.tsx";
import type { Case } from "./queries.ts";
import { SimulateCard } from "./simulate-card.tsx";
import { TargetMatrix } from "./target-matrix.tsx";
import "../../styles/request.css";
import "../../styles/ci.css";
import "../../styles/areas/services.css";

/** The page of a service offering: what does it promise, to whom, and what would a request get? */
export function OfferingScreen({ type, id }: { type: RecordType; id: string }) {
  const { data, error, refetch } = useRecord(type, id);
  if (data !== undefined) return <OfferingPage type={type} row={data} />;
  if (error instanceof ApiError && error.status === 403) return <Forbidden type={type} />;
  if (error instanceof ApiError && error.status === 404) return <NotFound type={type} id={id} />;
  if (error !== null) return <ErrorPanel error={error} retry={() => void refetch()} level={1} />;
  return <SkeletonRows rows={10} />;
}

const statusTones: Readonly<Record<string, ToneName>> = {
  available: "green",
  temporarily_unavailable: "orange",
  discontinued: "red",
};
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

function parseCase(text: unknown): Partial<Case> {
  try {
    const parsed = typeof text === "string" ? (JSON.parse(text) as unknown) : null;
    return typeof parsed === "object" && parsed !== null ? (parsed as Partial<Case>) : {};
  } catch {
    return {}; // somebody has shortened the address
  }
}

/** The case of the address: a link leads to the same simulation. */
function readCase(search: Readonly<Record<string, unknown>>): { value: Case; person: Reference | null } {
  const given = parseCase(search.case);
  const now = new Date(Date.now() - new Date().getTimezoneOffset() * 60_000).toISOString().slice(0, 16);
  const person = typeof given.person === "number" ? given.person : null;
  const pickText = (value: unknown, standard: string) => (typeof value === "string" ? value : standard);
  const isEvent = (event: unknown): event is Case["events"][number] =>
    typeof event === "object" &&
    event !== null &&
    ["at", "status"].every((name) => typeof event[name as never] === "string");
  return {
    value: {
      ...{ person, instance: typeof given.instance === "number" ? given.instance : null },
      ...{ category: pickText(given.category, "incident"), impact: pickText(given.impact, "medium") },
      ...{ at: pickText(given.at, now), events: Array.isArray(given.events) ? given.events.filter(isEvent) : [] },
    },
    person: person === null ? null : ({ id: person } as Reference),
  };
}

function OfferingPage({ type, row }: { type: RecordType; row: Row }) {
  const { account, api, may } = useCurrentAccount();
  const queries = useQueryClient();
  const navigate = useNavigate();
  const search = useSearch({ strict: false }) as { tab?: string; case?: unknown };
  const [first] = useState(() => readCase(search));
  const [wanted, setWanted] = useState<Case>(first.value);
  const [person, setPerson] = useState<Reference | null>(first.person);
  const [side, setSide] = useState(false);
  const hasRoom = useRoomForPanel();
  const writable = may("update", type) && row.account === undefined;
  const name = String(row.name);
  const service = (row.service ?? null) as Reference | null;
  const edit = () => navigateTo(paths.edit(account.id, type, row.id));
  const editAction = {
    id: "offering.edit",
    group: "record",
    icon: IconPencil,
    name: t("record.edit"),
    run: edit,
    keys: "e",
    when: writable,
  } as const;
  useActions([editAction]);
  const save = async (change: Record<string, unknown>) => {
    await api.change(`/${type.collection}/${row.id}`, change);
    await queries.invalidateQueries({ queryKey: [account.id, "record", type.name, String(row.id)] });
    void queries.invalidateQueries({ queryKey: [account.id, "simulation"] });
  };
  const keep = (value: Case) => {
    setWanted(value);
    void navigate({ to: ".", search: { ...search, case: JSON.stringify(value) } as never, replace: true });
  };
  const choosePerson = (chosen: Reference | null) => {
    setPerson(chosen);
    keep({ ...wanted, person: chosen === null ? null : Number(chosen.id) });
  };
  const base = `/${type.collection}/${row.id}`;
  const tabs: { key: string; label: string; content(): ReactNode }[] = [
    {
      key: "targets",
      label: t("offering.targets"),
      content: () => (
        <>
          <TargetMatrix
            row={row}
            writable={writable}
            marked={person === null ? null : wanted.category === "incident" ? wanted.impact : wanted.category}
            onSave={save}
          />
          <dl className="offering-promises">
            {promises
              .filter((field) => row[field] != null)
              .map((field) => (
                <div key={field}>
                  <dt>{fieldLabel(field)}</dt>
                  <dd>
                    <FieldValue name={field} field={type.fields[field] as Field} row={row} />
                  </dd>
                </div>
              ))}
          </dl>
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
    {
      key: "slas",
      label: t("offering.agreements"),
      content: () => <RelatedList path={`${base}/slas`} of="sla" label={t("offering.agreements")} />,
    },
    ...children.map((key) => {
      const child = type.children[key];
      const of = child?.of ?? "";
      return {
        key,
        label: partLabel(key, findType(of)),
        content: () => <ChildRecords path={`${base}/${key}`} of={of} writable={writable} allows={child?.allows} />,
      };
    }),
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
              <FieldValue name={field} field={type.fields[field] as Field} row={row} />
            </PropertyRow>
          ))
        );
      },
    },
    { key: "history", label: t("ci.history"), content: () => <AuditTrail type={type} path={base} /> },
  ];
  const active = tabs.find(({ key }) => key === search.tab) ?? tabs[0];
  return (
    <div className="page ci-page">
      <PageBar
        title={name}
        trail={[
          { label: collectionLabel(serviceType), path: paths.list(account.id, serviceType) },
          ...(service === null
            ? []
            : [{ label: getReferenceName(service), path: paths.record(account.id, serviceType, Number(service.id)) }]),
        ]}
        actions={
          <>
            <ActionButton action={editAction} />
            {!hasRoom && (
              <Button variant="default" size="sm" onClick={() => setSide(true)}>
                {t("offering.whoIsCovered")}
              </Button>
            )}
            <RecordActions type={type} row={row} name={name} />
          </>
        }
      >
        <Chip tone={statusTones[String(row.status)] ?? "grey"}>
          {choiceLabel("service_offering.status", String(row.status))}
        </Chip>
      </PageBar>
      <div className="ci-columns">
        <div className="ci-main">
          <div role="tablist" aria-label={name} className="tabs ci-tabs">
            {tabs.map(({ key, label }) => (
              <button
                key={key}
                type="button"
                role="tab"
                className="tab"
                aria-selected={key === active?.key}
                onClick={() => void navigate({ to: ".", search: { ...search, tab: key } as never, replace: true })}
              >
                {label}
              </button>
            ))}
          </div>
          <div role="tabpanel" aria-label={active?.label} className="offering-panel">
            {active?.content()}
          </div>
        </div>
        <SidePanel label={t("offering.whoIsCovered")} opened={side} onClose={() => setSide(false)}>
          <AgreementsSide offering={row.id} person={person} onPerson={choosePerson} />
        </SidePanel>
      </div>
    </div>
  );
}
