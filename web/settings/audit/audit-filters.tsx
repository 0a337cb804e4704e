import IconCalendar from "@tabler/icons-react/dist/esm/icons/IconCalendar.mjs";
import IconForms from "@tabler/icons-react/dist/esm/icons/IconForms.mjs";
import IconRoute from "@tabler/icons-react/dist/esm/icons/IconRoute.mjs";
import IconTable from "@tabler/icons-react/dist/esm/icons/IconTable.mjs";
import IconUser from "@tabler/icons-react/dist/esm/icons/IconUser.mjs";
import { type OriginKind, originKinds } from "../../../records/journal/change-origins.ts";
import type { Query } from "../../api/index.ts";
import { formatDate } from "../../base/formats.ts";
import { findType, typeGroups } from "../../base/record-types.ts";
import { ReferencePicker } from "../../fields/pickers/reference-picker.tsx";
import { Select } from "../../fields/pickers/select.tsx";
import { t } from "../../languages/index.ts";
import { collectionLabel, fieldLabel } from "../../languages/labels.ts";
import { type ChipFilter, ChipFilters, TextFilterForm } from "../../parts/lists/chip-filters.tsx";
import { originLabel } from "../../parts/records/change-origin.ts";
import { useRecordNames } from "../../queries/record-names.ts";
import { useAddressSearch } from "../use-address-search.ts";

/** The filters are in the address, so that they can be shared and survive a reload. */
export type AuditAddress = {
  person?: string;
  type?: string;
  field?: string;
  since?: string;
  record?: string;
  origin?: string;
};

export const useAuditAddress = () => useAddressSearch("person", "type", "field", "since", "record", "origin");

/**
 * The API query for the address. A day begins at midnight in the reader's zone. Lines are ordered by time, which isn't
 * always the order in which they were stored; those of a person, a type or a record are read from indexes in that order
 * (D-732).
 */
export const buildAuditQuery = ({ person, type, field, since, record, origin }: AuditAddress): Query => ({
  sort: (person ?? type ?? record) ? undefined : "-created_at",
  person,
  audited: type,
  field,
  record,
  origin,
  created_at: since === undefined || since === "" ? undefined : `>=${new Date(`${since}T00:00:00`).toISOString()}`,
});

export function AuditFilters() {
  const [address, set] = useAuditAddress();
  const byPerson = usePersonFilter(address.person);
  const types = typeGroups.flatMap((group) => group.types).filter(({ storage }) => !storage.journal);
  const type = address.type === undefined ? undefined : findType(address.type);
  const fields = Object.keys(type?.fields ?? {}).map((value) => ({ value, label: fieldLabel(value) }));
  return (
    <div className="audit-filters">
      <ChipFilters
        id="audit.filter"
        // Another type has other fields.
        onChange={(key, value) => set({ [key]: value, ...(key === "type" ? { field: "" } : {}) })}
        filters={[
          byPerson,
          {
            ...{ key: "type", label: t("rights.type"), icon: IconTable, otherwise: t("audit.any") },
            chosen: type === undefined ? null : collectionLabel(type),
            form: (apply) => (
              <ChoiceForm
                label={t("rights.type")}
                data={types.map((each) => ({ value: each.name, label: collectionLabel(each) }))}
                value={address.type}
                onApply={apply}
              />
            ),
          },
          {
            ...{ key: "field", label: t("audit.field"), icon: IconForms, when: type !== undefined },
            chosen: address.field === undefined ? null : fieldLabel(address.field),
            form: (apply) => (
              <ChoiceForm label={t("audit.field")} data={fields} value={address.field} onApply={apply} />
            ),
          },
          buildSinceFilter(address.since),
          {
            ...{ key: "origin", label: t("origin.label"), icon: IconRoute },
            chosen: address.origin === undefined ? null : originLabels(address.origin),
            form: (apply) => (
              <ChoiceForm label={t("origin.label")} data={origins()} value={address.origin} onApply={apply} />
            ),
          },
          { key: "record", label: t("audit.record"), chosen: address.record ?? null, when: false },
        ]}
      />
    </div>
  );
}

const isOriginKind = (name: string): name is OriginKind => originKinds.some((kind) => kind === name);

/** An address may contain several. */
const originLabels = (listed: string): string => listed.split(",").filter(isOriginKind).map(originLabel).join(", ");

const origins = () => originKinds.map((value) => ({ value, label: originLabel(value) }));

/** The filter by author. */
export function usePersonFilter(chosen: string | undefined): ChipFilter {
  const person = chosen === undefined ? null : Number(chosen);
  const names = useRecordNames(new Map(person === null ? [] : [["person", new Set([person])]]));
  return {
    ...{ key: "person", label: t("audit.by"), icon: IconUser, otherwise: t("audit.anybody") },
    chosen: person === null ? null : (names.get(`person ${person}`) ?? String(person)),
    form: (apply) => (
      <ReferencePicker
        aria-label={t("audit.by")}
        to="person"
        value={person === null ? null : { id: person }}
        onChange={(found) => apply(found === null ? "" : String(found.id))}
      />
    ),
  };
}

export const buildSinceFilter = (since: string | undefined): ChipFilter => ({
  ...{ key: "since", label: t("audit.since"), icon: IconCalendar },
  chosen: since === undefined ? null : formatDate(since),
  form: (apply) => <TextFilterForm type="date" label={t("audit.since")} value={since ?? ""} onApply={apply} />,
});

type ChoiceProps = {
  label: string;
  data: { value: string; label: string }[];
  value: string | undefined;
  onApply(value: string): void;
};

/** One of many choices, found by typing. */
export const ChoiceForm = ({ label, data, value, onApply }: ChoiceProps) => (
  <Select
    size="xs"
    data-autofocus
    aria-label={label}
    searchable
    data={data}
    value={value ?? null}
    comboboxProps={{ withinPortal: false }}
    onChange={(chosen) => onApply(chosen ?? "")}
  />
);
