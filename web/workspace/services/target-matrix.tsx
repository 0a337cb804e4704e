import { TextInput } from "@mantine/core";
import IconInfoCircle from "@tabler/icons-react/dist/esm/icons/IconInfoCircle.mjs";
import IconPencil from "@tabler/icons-react/dist/esm/icons/IconPencil.mjs";
import { useRef, useState } from "react";
import type { Row } from "../../api/index.ts";
import { useFormDraft } from "../../drafts/use-form-draft.ts";
import { errorText } from "../../elements/error-text.ts";
import { Icon } from "../../elements/icon.tsx";
import { Select } from "../../fields/pickers/select.tsx";
import { t } from "../../languages/index.ts";
import { fieldLabel } from "../../languages/labels.ts";
import { ImpactIcon } from "../../parts/work/impact.tsx";
import { useList } from "../../queries/index.ts";
import { getReferenceName, type Reference, readReference } from "../../queries/reference.ts";
import { parseTarget, type TargetValue } from "./parse-target.ts";
import { categoryIcons, formatTarget, kindExplanation, kindLabel, readTarget, requestKinds } from "./target-kinds.tsx";
import { MetShare, type TargetsMet } from "./targets-met.tsx";

// The targets of an offering: a row for each kind of request, edited in place.

/** A cell without a text is closed. */
type Texts = Readonly<Record<string, string | undefined>>;
type Save = (change: Record<string, unknown>) => Promise<unknown>;
type Props = {
  row: Row;
  writable: boolean;
  marked: string | null;
  /** the share of recent requests that met their targets; undefined: not loaded yet */
  met: TargetsMet | undefined;
  onSave: Save;
};

export function TargetMatrix({ row, writable, marked, met, onSave }: Props) {
  const [isEditing, setIsEditing] = useState(false);
  /** the texts of the open cells */
  const { values: texts, change: setTexts } = useFormDraft<Texts>(`service_offering/${row.id}/targets`, {});
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: it only notices which of its cells has the focus
    <div
      className="card scroll-x"
      onFocus={({ target }) => setIsEditing(target instanceof HTMLInputElement)}
      onBlur={() => setIsEditing(false)}
    >
      <table className="target-matrix" aria-label={t("offering.targets")}>
        <thead>
          <tr>
            <th>{t("offering.kind")}</th>
            <th>{t("offering.respond")}</th>
            <th>{t("offering.resolve")}</th>
            <th>{t("offering.hours")}</th>
            <th className="right">{t("offering.met")}</th>
          </tr>
        </thead>
        <tbody>
          {requestKinds.map((kind) => {
            const icon = categoryIcons[kind];
            const label = kindLabel(kind);
            return (
              <tr key={kind} data-marked={marked === kind || undefined}>
                <th scope="row">
                  <span className="target-kind">
                    {icon === undefined ? <ImpactIcon impact={kind} silent /> : <Icon of={icon} />}
                    <span className="target-label">{label}</span>
                    <span className="quiet">{kindExplanation(kind)}</span>
                  </span>
                </th>
                {(["response", "resolution"] as const).map((part) => (
                  <td key={part}>
                    <TargetCell
                      label={`${label}, ${t(part === "response" ? "offering.respond" : "offering.resolve")}`}
                      value={readTarget(row, part, kind)}
                      typed={texts[`${part}_${kind}`] ?? null}
                      onType={(text) => setTexts({ [`${part}_${kind}`]: text ?? undefined })}
                      writable={writable}
                      onSave={({ minutes, days }) =>
                        onSave({ [`${part}_target_${kind}`]: minutes, [`${part}_target_${kind}_in_days`]: days })
                      }
                    />
                  </td>
                ))}
                <td>
                  <HoursCell
                    name={`support_hours_${kind}`}
                    value={readReference(row[`support_hours_${kind}`])}
                    writable={writable}
                    onSave={onSave}
                  />
                </td>
                <td className="right">
                  <MetShare share={met?.get(kind)} />
                </td>
              </tr>
            );
          })}
        </tbody>
      </table>
      {isEditing && (
        <p className="offering-note" role="status">
          <Icon of={IconInfoCircle} size={14} /> {t("offering.keepsTargets")}
        </p>
      )}
    </div>
  );
}

type CellProps = {
  label: string;
  value: TargetValue;
  /** null: the cell is closed */
  typed: string | null;
  onType(text: string | null): void;
  writable: boolean;
  onSave(value: TargetValue): Promise<unknown>;
};

/** Enter or a click opens the cell; Enter saves, Escape discards the change. */
function TargetCell({ label, value, typed, onType, writable, onSave }: CellProps) {
  const shown = formatTarget(value);
  const [problem, setProblem] = useState<string | null>(null);
  const button = useRef<HTMLButtonElement>(null);
  const saving = useRef(false);
  // A cell that is restored open from a draft doesn't take the focus.
  const takesFocus = useRef(false);
  const close = (returnsFocus: boolean) => {
    onType(null);
    setProblem(null);
    if (returnsFocus) requestAnimationFrame(() => button.current?.focus());
  };
  const save = async (returnsFocus: boolean) => {
    if (typed === null || saving.current) return;
    const wanted = parseTarget(typed);
    if (wanted === null) return setProblem(t("offering.notUnderstood"));
    if (wanted.minutes === value.minutes && wanted.days === value.days) return close(returnsFocus);
    saving.current = true;
    try {
      await onSave(wanted);
      close(returnsFocus);
    } catch (error) {
      setProblem(errorText(error));
    } finally {
      saving.current = false;
    }
  };
  if (!writable) return <span>{shown === "" ? t("sla.bestEffort") : shown}</span>;
  if (typed === null)
    return (
      <button
        ref={button}
        type="button"
        className="target-value"
        aria-label={`${label}: ${shown === "" ? t("sla.bestEffort") : shown}`}
        onClick={() => {
          takesFocus.current = true;
          onType(shown);
        }}
      >
        {shown === "" ? <span className="quiet">{t("sla.bestEffort")}</span> : shown}
        <Icon of={IconPencil} size={12} />
      </button>
    );
  return (
    <TextInput
      size="xs"
      aria-label={label}
      autoFocus={takesFocus.current}
      onFocus={(event) => event.currentTarget.select()}
      value={typed}
      error={problem}
      placeholder={t("offering.placeholder")}
      onChange={(event) => onType(event.currentTarget.value)}
      onBlur={() => void save(false)}
      onKeyDown={(event) => {
        if (event.key === "Enter") void save(true);
        if (event.key === "Escape") {
          event.stopPropagation();
          close(true);
        }
      }}
    />
  );
}

/** Targets without support hours run around the clock. */
const alwaysOpen = "24 × 7";

type HoursProps = { name: string; value: Reference | null; writable: boolean; onSave: Save };

function HoursCell({ name, value, writable, onSave }: HoursProps) {
  const [open, setOpen] = useState(false);
  const shown = value === null ? alwaysOpen : getReferenceName(value);
  if (!writable) return <span className="quiet">{shown}</span>;
  if (!open)
    return (
      <button
        type="button"
        className="target-value"
        aria-label={`${fieldLabel(name)}: ${shown}`}
        onClick={() => setOpen(true)}
      >
        <span className={value === null ? "quiet" : undefined}>{shown}</span>
        <Icon of={IconPencil} size={12} />
      </button>
    );
  return <HoursSelect {...{ name, value, onSave }} onClose={() => setOpen(false)} />;
}

function HoursSelect({ name, value, onSave, onClose }: Omit<HoursProps, "writable"> & { onClose(): void }) {
  const { data } = useList("/calendars/enabled", { fields: "name", per_page: "100" });
  const [problem, setProblem] = useState<string | null>(null);
  const known = (data?.rows ?? []).map((row) => ({ value: String(row.id), label: String(row.name) }));
  const current = value === null ? [] : [{ value: String(value.id), label: getReferenceName(value) }];
  return (
    <Select
      size="xs"
      aria-label={fieldLabel(name)}
      data={known.length === 0 ? current : known}
      value={value === null ? null : String(value.id)}
      error={problem}
      clearable
      autoFocus
      defaultDropdownOpened
      onChange={(id) =>
        void onSave({ [`${name}_id`]: id === null ? null : Number(id) }).then(onClose, (error) =>
          setProblem(errorText(error)),
        )
      }
      onBlur={onClose}
    />
  );
}
