import { Badge, Group } from "@mantine/core";
import type { Field } from "../../../records/vocabulary/index.ts";
import { useCurrentAccount } from "../../api/current-account.ts";
import { paths } from "../../base/paths.ts";
import { findType, hasList } from "../../base/record-types.ts";
import { Link } from "../../elements/link.tsx";
import { t } from "../../languages/index.ts";
import { getReferenceName, type Reference } from "../../queries/reference.ts";
import { type EditProps, type FieldKind, type FilterProps, inputProps, ofKind, type ShowProps } from "../field-kind.ts";
import { ReferencePicker } from "../pickers/reference-picker.tsx";

// A reference to a record: its name, as a link if it has a page.

/** Links within the current account: a readable record is shown here, even if it belongs to another account. */
export function ReferenceLink({ to, value }: { to: string; value: Reference }) {
  const { account } = useCurrentAccount();
  const type = findType(to);
  const name = getReferenceName(value);
  return (
    <Group gap={6} component="span" display="inline-flex">
      {type !== undefined && hasList(type) ? (
        <Link to={paths.record(account.id, type, value.id)}>{name}</Link>
      ) : (
        <span>{name}</span>
      )}
      {value.disabled && (
        <Badge size="xs" variant="default">
          {t("record.disabled")}
        </Badge>
      )}
    </Group>
  );
}

/** For a field that refers to either of two types: the nodeID contains the type of this one. */
const isReferenceTo = (to: string, value: Reference & { nodeID?: string }): boolean => {
  const [, nodeType] = atob((value.nodeID ?? "").replaceAll("-", "+").replaceAll("_", "/")).split("/");
  return nodeType === findType(to)?.nodeType;
};

function getTargetType(field: Field, value: Reference): string {
  if (field.kind === "backReference") return field.from;
  if (field.kind === "extension") return "ui_extension";
  const { to, or } = ofKind(field, "reference");
  return or !== undefined && isReferenceTo(or, value) ? or : to;
}

const Show = ({ field, value }: ShowProps) => <ReferenceLink to={getTargetType(field, value)} value={value} />;

function Edit(props: EditProps) {
  const { to, or } = ofKind(props.field, "reference");
  return (
    <ReferencePicker {...inputProps(props)} to={to} or={or} value={props.value ?? null} onChange={props.onChange} />
  );
}

function Filter({ field, label, value, onChange }: FilterProps) {
  const { to, or } = ofKind(field, "reference");
  return (
    <ReferencePicker
      label={label}
      to={to}
      or={or}
      value={/^\d+$/.test(value) ? { id: Number(value) } : null}
      onChange={(chosen) => onChange(chosen === null ? "" : String(chosen.id))}
    />
  );
}

export const reference: FieldKind = { Show, Edit, Filter, toWire: (value: Reference | null) => value?.id ?? null };
export const backReference: FieldKind = { Show };
