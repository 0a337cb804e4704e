import { Menu, Switch } from "@mantine/core";
import IconPlus from "@tabler/icons-react/dist/esm/icons/IconPlus.mjs";
import { useState } from "react";
import type { RecordType } from "../../../../records/vocabulary/index.ts";
import { ApiError, type Row } from "../../../api.ts";
import { FieldValue } from "../../../fields/field-value.tsx";
import { t } from "../../../languages/index.ts";
import { fieldLabel, shortChoiceLabel } from "../../../languages/labels.ts";
import { daysAway, formatClock, formatMinutes } from "../../../moments.ts";
import { lazyDialog } from "../../../parts/dialogs/lazy-dialog.tsx";
import { errorText } from "../../../parts/error-text.ts";
import { Icon } from "../../../parts/icon.tsx";
import { Kbd } from "../../../parts/kbd.tsx";
import { useNow } from "../../../parts/now.ts";
import { PersonName } from "../../../parts/people/person-name.tsx";
import { PropertyRow } from "../../../parts/property-row.tsx";
import { ImpactChip } from "../../../parts/work/impact.tsx";
import { SlaChip } from "../../../parts/work/sla-chip.tsx";
import { StatusChip } from "../../../parts/work/status.tsx";
import { judgeTarget } from "../../../parts/work/target-outcome.ts";
import { getReferenceName, type Reference } from "../../../queries/reference.ts";
import { isNegative } from "../../../queries/status-order.ts";
import { columnLabel } from "../../lists/grid/columns.ts";
import { type PageParts, textOf } from "../page-parts.ts";
import { type Changes, useSave } from "../save/use-save.ts";
import { CodeValue } from "./code-property.tsx";
import { CustomFields } from "./custom-fields.tsx";
import { isEditable, PropertyEditor } from "./property-editor.tsx";
import { Tags } from "./tags.tsx";

// The properties of a record in the order of the design; empty ones are offered under "Add a field".

const RefusalDialog = lazyDialog(async () => (await import("../refusal-dialog.tsx")).default);

/** Whole numbers that are minutes. */
const minuteFields = ["planned_duration", "planned_effort", "actual_effort"];

/** The effort stands beside the duration, unless it was asked for. */
const isBeside = (parts: PageParts, name: string): boolean =>
  name === "planned_effort" && parts.always.includes("planned_duration");

function labelOf(name: string): string {
  if (name === "completion_target_at") return t("task.target");
  return name === "planned_duration" ? t("task.planned") : columnLabel(name);
}

type Props = {
  type: RecordType;
  row: Row;
  parts: PageParts;
  /** why nothing can be changed */
  locked: string | null;
  /** the property that is being changed, opened by a key of the page */
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
  const save = useSave(type, String(row.id));
  const [errors, setErrors] = useState<Readonly<Record<string, string>>>({});
  const [returnsFocus, setReturnsFocus] = useState(true);
  const [added, setAdded] = useState<readonly string[]>([]);
  /** refused because another field is needed, too: saved together with it */
  const [held, setHeld] = useState<Changes>({});
  const known = (name: string) => type.fields[name] !== undefined;
  const shown = [
    ...parts.always.filter(known),
    ...parts.filled.filter(
      (name) => known(name) && (added.includes(name) || (isFilled(row[name]) && !isBeside(parts, name))),
    ),
  ];
  const offered = parts.filled.filter((name) => !shown.includes(name) && isEditable(type.fields[name]));
  const [refusal, setRefusal] = useState<{ status: string; seen: Row } | null>(null);
  /** Resolves to false where the value was refused. */
  const change = async (name: string, value: unknown, seen: Row): Promise<boolean> => {
    onEditing(null);
    if (name === "status" && isNegative(String(value))) {
      setRefusal({ status: String(value), seen });
      return true;
    }
    setErrors(({ [name]: _, ...rest }) => rest);
    const label = fieldLabel(name);
    try {
      await save(
        { ...held, [name]: value },
        { message: t("request.changed", { field: label }), seen: { [name]: seen[name] } },
      );
      setHeld({});
    } catch (error) {
      const needed = findNeeded(error, name);
      if (needed === undefined) {
        setErrors((was) => ({ ...was, [name]: errorText(error) }));
        return false;
      }
      const [field, words] = needed;
      setHeld((was) => ({ ...was, [name]: value }));
      setAdded((was) => [...was, field]);
      setErrors((was) => ({ ...was, [field]: words }));
      onEditing(field);
    }
    return true;
  };
  /** The field that the server misses, if the page can ask for it. */
  const findNeeded = (error: unknown, name: string) =>
    error instanceof ApiError
      ? error.problems.find(
          ([field]) => field !== name && parts.filled.includes(field) && isEditable(type.fields[field]),
        )
      : undefined;
  const hasTags = type.links.tags?.createByName === true;
  const offersTags = hasTags && locked === null && !added.includes("tags");
  return (
    <div className="properties">
      {shown.map((name) => {
        const field = type.fields[name];
        if (field === undefined) return null;
        const error = errors[name];
        if (field.kind === "boolean" && locked === null)
          return (
            <PropertyRow key={name} label={labelOf(name)} error={error}>
              <Switch
                size="xs"
                aria-label={columnLabel(name)}
                checked={row[name] === true}
                onChange={(event) => void change(name, event.currentTarget.checked, row)}
              />
            </PropertyRow>
          );
        return (
          <PropertyRow
            key={name}
            label={labelOf(name)}
            error={error}
            editing={editing === name}
            onEditing={(wanted) => onEditing(wanted ? name : null)}
            edit={
              locked === null && isEditable(field)
                ? (close) => (
                    <PropertyEditor
                      type={type}
                      name={name}
                      row={row}
                      onSave={(value, seen) => change(name, value, seen)}
                      onClose={close}
                    />
                  )
                : undefined
            }
          >
            <span className="property-shown">
              <PropertyValue type={type} name={name} row={row} />
              {name === "status" && locked === null && isEditable(field) && <Kbd keys="s" />}
            </span>
          </PropertyRow>
        );
      })}
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
          onRefuse={(note) =>
            save(
              { ...held, status: refusal.status, note },
              { message: t("request.changed", { field: fieldLabel("status") }), seen: { status: refusal.seen.status } },
            )
          }
          onClose={() => setRefusal(null)}
        />
      )}
      {parts.derivedFrom !== null && <p className="quiet small">{t(`request.derived.${parts.derivedFrom}`)}</p>}
      {locked === null && offered.length > 0 && (
        <Menu position="bottom-start" width={240} returnFocus={returnsFocus} onOpen={() => setReturnsFocus(true)}>
          <Menu.Target>
            <button type="button" className="text-button add-field">
              <Icon of={IconPlus} size={14} /> {t("request.addField")}
            </button>
          </Menu.Target>
          <Menu.Dropdown>
            {[...offered, ...(offersTags ? ["tags"] : [])].map((name) => (
              <Menu.Item
                key={name}
                onClick={() => {
                  // The editor has the focus then; it closes when something else takes it.
                  setReturnsFocus(false);
                  setAdded((was) => [...was, name]);
                  onEditing(name);
                }}
              >
                {columnLabel(name)}
              </Menu.Item>
            ))}
          </Menu.Dropdown>
        </Menu>
      )}
    </div>
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
    const reference = (value as Reference | null) ?? null;
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

/** Nearer than that the chip counts down, and the time of the day stands beside it. */
const fourHours = 4 * 3_600_000;

function TargetValue({ row, target }: { row: Row; target: string }) {
  const now = useNow();
  return (
    <span className="target-value">
      <SlaChip target={target} status={textOf(row, "status")} outcome={judgeTarget(row, target)} />
      {daysAway(Date.parse(target), now) === 0 && Math.abs(Date.parse(target) - now) < fourHours && (
        <span className="numbers quiet">{formatClock(Date.parse(target))}</span>
      )}
    </span>
  );
}
