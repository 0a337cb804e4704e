import { Menu, Switch } from "@mantine/core";
import IconPlus from "@tabler/icons-react/dist/esm/icons/IconPlus.mjs";
import { useState } from "react";
import type { RecordType } from "../../../../records/vocabulary/index.ts";
import type { Row } from "../../../api/index.ts";
import { daysAway, formatClock, formatMinutes } from "../../../base/moments.ts";
import { Icon } from "../../../elements/icon.tsx";
import { Kbd } from "../../../elements/kbd.tsx";
import { FieldValue } from "../../../fields/field-value.tsx";
import { t } from "../../../languages/index.ts";
import { shortChoiceLabel } from "../../../languages/labels.ts";
import { lazyDialog } from "../../../parts/dialogs/lazy-dialog.tsx";
import { useNow } from "../../../parts/now.ts";
import { PersonName } from "../../../parts/people/person-name.tsx";
import { PropertyRow } from "../../../parts/property-row.tsx";
import { ImpactChip } from "../../../parts/work/impact.tsx";
import { SlaChip } from "../../../parts/work/sla-chip.tsx";
import { StatusChip } from "../../../parts/work/status.tsx";
import { judgeTarget } from "../../../parts/work/target-outcome.ts";
import { getReferenceName } from "../../../queries/reference.ts";
import { columnLabel } from "../../lists/grid/columns.ts";
import { getReference, type PageParts, readText } from "../page-parts.ts";
import { CodeValue } from "./code-property.tsx";
import { CustomFields } from "./custom-fields.tsx";
import { isEditable, PropertyEditor } from "./property-editor.tsx";
import { Tags } from "./tags.tsx";
import { usePropertyChanges } from "./use-property-changes.ts";

// The properties of a record in the order of the design; empty ones are offered under "Add a field".

const RefusalDialog = lazyDialog(async () => (await import("../refusal-dialog.tsx")).default);

/** Whole numbers in minutes. */
const minuteFields = ["planned_duration", "planned_effort", "actual_effort"];

/** The effort is shown beside the duration, unless the person added it. */
const isBeside = (parts: PageParts, name: string): boolean =>
  name === "planned_effort" && parts.always.includes("planned_duration");

function pickLabel(name: string): string {
  if (name === "completion_target_at") return t("task.target");
  return name === "planned_duration" ? t("task.planned") : columnLabel(name);
}

type Props = {
  type: RecordType;
  row: Row;
  parts: PageParts;
  /** the reason why nothing can be changed */
  locked: string | null;
  /** the property being changed, opened by a key of the page */
  editing: string | null;
  onEditing(name: string | null): void;
};

const isFilled = (value: unknown): boolean =>
  value !== null &&
  value !== undefined &&
  value !== "" &&
  value !== false &&
  !(Array.isArray(value) && value.length === 0);

export function Properties({ type, row, parts, locked, editing, onEditing }: Props) {
  const changes = usePropertyChanges({ type, row, parts, onEditing });
  const { added, refusal } = changes;
  const known = (name: string) => type.fields[name] !== undefined;
  const shown = [
    ...parts.always.filter(known),
    ...parts.filled.filter(
      (name) => known(name) && (added.includes(name) || (isFilled(row[name]) && !isBeside(parts, name))),
    ),
  ];
  const offered = parts.filled.filter((name) => !shown.includes(name) && isEditable(type.fields[name]));
  const hasTags = type.links.tags?.createByName === true;
  const offersTags = hasTags && locked === null && !added.includes("tags");
  return (
    <div className="properties">
      {shown.map((name) => (
        <Property
          key={name}
          {...{ type, row, name, editing, onEditing }}
          isLocked={locked !== null}
          error={changes.errors[name]}
          onChange={(value, seen) => changes.change(name, value, seen)}
        />
      ))}
      <CustomFields type={type} row={row} locked={locked !== null} />
      {hasTags && (
        <Tags
          type={type}
          row={row}
          locked={locked !== null}
          isAdded={added.includes("tags")}
          editing={editing === "tags"}
          onEditing={(wanted) => onEditing(wanted ? "tags" : null)}
        />
      )}
      {refusal !== null && (
        <RefusalDialog
          type={type.name}
          id={row.id}
          status={refusal.status}
          onRefuse={(note) => changes.refuse(refusal, note)}
          onClose={changes.closeRefusal}
        />
      )}
      {parts.derivedFrom !== null && <p className="quiet small">{t(`request.derived.${parts.derivedFrom}`)}</p>}
      {locked === null && offered.length > 0 && (
        <FieldMenu names={[...offered, ...(offersTags ? ["tags"] : [])]} onAdd={changes.add} />
      )}
    </div>
  );
}

type PropertyProps = Pick<Props, "type" | "row" | "editing" | "onEditing"> & {
  name: string;
  isLocked: boolean;
  error: string | undefined;
  onChange(value: unknown, seen: Row): Promise<boolean>;
};

function Property({ type, row, name, isLocked, error, editing, onEditing, onChange }: PropertyProps) {
  const field = type.fields[name];
  if (field === undefined) return null;
  if (field.kind === "boolean" && !isLocked)
    return (
      <PropertyRow label={pickLabel(name)} error={error}>
        <Switch
          size="xs"
          aria-label={columnLabel(name)}
          checked={row[name] === true}
          onChange={(event) => void onChange(event.currentTarget.checked, row)}
        />
      </PropertyRow>
    );
  const mayEdit = !isLocked && isEditable(field);
  const edit = (close: () => void) => (
    <PropertyEditor type={type} name={name} row={row} onSave={onChange} onClose={close} />
  );
  return (
    <PropertyRow
      label={pickLabel(name)}
      error={error}
      editing={editing === name}
      onEditing={(wanted) => onEditing(wanted ? name : null)}
      edit={mayEdit ? edit : undefined}
    >
      <span className="property-shown">
        <PropertyValue type={type} name={name} row={row} />
        {name === "status" && mayEdit && <Kbd keys="s" />}
      </span>
    </PropertyRow>
  );
}

/** The menu of empty fields that can be filled in. */
function FieldMenu({ names, onAdd }: { names: readonly string[]; onAdd(name: string): void }) {
  const [returnsFocus, setReturnsFocus] = useState(true);
  return (
    <Menu position="bottom-start" width={240} returnFocus={returnsFocus} onOpen={() => setReturnsFocus(true)}>
      <Menu.Target>
        <button type="button" className="text-button add-field">
          <Icon of={IconPlus} size={14} /> {t("request.addField")}
        </button>
      </Menu.Target>
      <Menu.Dropdown>
        {names.map((name) => (
          <Menu.Item
            key={name}
            onClick={() => {
              // The editor then has the focus, and closes when it loses it.
              setReturnsFocus(false);
              onAdd(name);
            }}
          >
            {columnLabel(name)}
          </Menu.Item>
        ))}
      </Menu.Dropdown>
    </Menu>
  );
}

function PropertyValue({ type, name, row }: { type: RecordType; name: string; row: Row }) {
  const value = row[name];
  const field = type.fields[name];
  if (field === undefined) return null;
  if (name === "status" && typeof value === "string") return <StatusChip type={type.name} status={value} />;
  if (name === "impact" && typeof value === "string") return <ImpactChip impact={value} explained />;
  if (name === "completion_target_at" && typeof value === "string") return <TargetValue row={row} target={value} />;
  if (field.kind === "enum" && typeof value === "string") return <>{shortChoiceLabel(field.enumeration, value)}</>;
  if (field.kind === "reference") {
    const reference = getReference(row, name);
    if (field.to === "person") return <PersonName person={reference} you={false} />;
    return reference === null ? <span className="quiet">{t("request.none")}</span> : getReferenceName(reference);
  }
  if (name === "planned_duration" && typeof value === "number" && typeof row.planned_effort === "number")
    return (
      <>{t("task.plannedWithEffort", { time: formatMinutes(value), effort: formatMinutes(row.planned_effort) })}</>
    );
  if (minuteFields.includes(name) && typeof value === "number") return <>{formatMinutes(value)}</>;
  if (field.kind === "code" && typeof value === "string") return <CodeValue to={field.to} code={value} />;
  if (value === null || value === undefined) return <span className="quiet">{t("request.none")}</span>;
  return <FieldValue name={name} field={field} row={row} />;
}

/** Below that the chip counts down, and the time of day is shown beside it. */
const fourHours = 4 * 3_600_000;

function TargetValue({ row, target }: { row: Row; target: string }) {
  const now = useNow();
  return (
    <span className="target-value">
      <SlaChip target={target} status={readText(row, "status")} outcome={judgeTarget(row, target)} />
      {daysAway(Date.parse(target), now) === 0 && Math.abs(Date.parse(target) - now) < fourHours && (
        <span className="numbers quiet">{formatClock(Date.parse(target))}</span>
      )}
    </span>
  );
}
