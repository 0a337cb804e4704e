import { Select, TextInput } from "@mantine/core";
import { useNavigate, useSearch } from "@tanstack/react-router";
import type { Query } from "../../api.ts";
import { useCurrentAccount } from "../../current-account.ts";
import { t } from "../../languages/index.ts";
import { collectionLabel, fieldLabel } from "../../languages/labels.ts";
import { ReferencePicker } from "../../parts/forms/reference-picker.tsx";
import { findType, typeGroups } from "../../record-types.ts";

/** The filters stand in the address, so that they can be sent to somebody and survive a reload. */
export type AuditAddress = { person?: string; type?: string; field?: string; since?: string; record?: string };

export const useAuditAddress = (): AuditAddress => useSearch({ strict: false }) as AuditAddress;

/** The query of the API behind the address. A day begins at midnight of the reader. */
export const buildAuditQuery = ({ person, type, field, since, record }: AuditAddress): Query => ({
  person,
  audited: type,
  field,
  record,
  created_at: since === undefined || since === "" ? undefined : `>=${new Date(`${since}T00:00:00`).toISOString()}`,
});

export function AuditFilters() {
  const { account } = useCurrentAccount();
  const address = useAuditAddress();
  const navigate = useNavigate();
  const set = (changed: AuditAddress) => {
    const next = Object.fromEntries(Object.entries({ ...address, ...changed }).filter(([, value]) => value));
    void navigate({ to: ".", search: next as never, replace: true });
  };
  const types = typeGroups.flatMap((group) => group.types).filter(({ storage }) => !storage.journal);
  const chosen = address.type === undefined ? undefined : findType(address.type);
  const fields = Object.keys(chosen?.fields ?? {}).map((value) => ({ value, label: fieldLabel(value) }));
  return (
    <div className="audit-filters" key={account.id}>
      <ReferencePicker
        aria-label={t("audit.by")}
        to="person"
        value={address.person === undefined ? null : { id: Number(address.person) }}
        onChange={(person) => set({ person: person === null ? "" : String(person.id) })}
      />
      <Select
        aria-label={t("rights.type")}
        placeholder={t("audit.anyType")}
        searchable
        clearable
        data={types.map((type) => ({ value: type.name, label: collectionLabel(type) }))}
        value={address.type ?? null}
        onChange={(type) => set({ type: type ?? "", field: "" })}
      />
      <Select
        aria-label={t("audit.field")}
        placeholder={t("audit.anyField")}
        searchable
        clearable
        disabled={chosen === undefined}
        data={fields}
        value={address.field ?? null}
        onChange={(field) => set({ field: field ?? "" })}
      />
      <TextInput
        type="date"
        aria-label={t("audit.since")}
        value={address.since ?? ""}
        onChange={(event) => set({ since: event.currentTarget.value })}
      />
    </div>
  );
}
