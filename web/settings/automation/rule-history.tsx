import { useState } from "react";
import type { Row } from "../../api/index.ts";
import { formatDateTime } from "../../base/formats.ts";
import { Select } from "../../fields/pickers/select.tsx";
import { t } from "../../languages/index.ts";
import { fieldLabel } from "../../languages/labels.ts";
import { Dialog } from "../../parts/dialogs/dialog.tsx";
import { LoadingSkeleton } from "../../parts/loading-skeleton.tsx";
import { useAudit } from "../../queries/parts/audit.ts";
import { getReferenceName, type Reference } from "../../queries/reference.ts";
import { readLink } from "../read-link.ts";
import { removeLabels } from "./editor/action-labels.ts";
import { diffLines } from "./editor/line-diff.ts";
import type { RuleDraft } from "./editor/rule-draft.ts";

/** An audit line: `before` has the values that it replaced, by field. */
type Entry = { created_at: string; created_by: Reference | null; before: Readonly<Record<string, unknown>> };

const readEntry = ({ created_at, created_by, changes }: Row): Entry => ({
  created_at: String(created_at),
  created_by: readLink(created_by),
  before: Object.fromEntries(
    Object.entries(changes ?? {}).flatMap(([field, change]) => (Array.isArray(change) ? [[field, change[0]]] : [])),
  ),
});

const shown = ["name", "trigger", "generic", "expressions", "condition", "actions"] as const;
type ShownField = (typeof shown)[number];
type Version = Record<ShownField, string>;

const toText = (field: ShownField, value: unknown): string =>
  typeof value !== "string" ? "" : field === "actions" ? removeLabels(value) : value;

/** The versions of a rule, newest first, reconstructed from the current one by the audit lines. */
function buildVersions(draft: RuleDraft, entries: readonly Entry[]): { entry: Entry; before: Version }[] {
  let version: Version = { ...draft, generic: draft.generic ?? "" };
  return entries
    .filter((entry) => shown.some((field) => Object.hasOwn(entry.before, field)))
    .map((entry) => {
      const before: Version = { ...version };
      for (const field of shown)
        if (Object.hasOwn(entry.before, field)) before[field] = toText(field, entry.before[field]);
      version = before;
      return { entry, before };
    });
}

/** The differences between the rule as displayed and one of its earlier versions. */
export function RuleHistory({ id, draft, onClose }: { id: number; draft: RuleDraft; onClose(): void }) {
  const { data } = useAudit(`/automation_rules/${id}`);
  const [chosen, setChosen] = useState(0);
  const versions = buildVersions(draft, data?.pages.flatMap((page) => page.rows.map(readEntry)) ?? []);
  const version = versions[chosen];
  const current: Version = { ...draft, generic: draft.generic ?? "" };
  const differing = version === undefined ? [] : shown.filter((field) => version.before[field] !== current[field]);
  return (
    <Dialog title={t("ruleEditor.history")} size="lg" onClose={onClose}>
      {data === undefined ? (
        <LoadingSkeleton rows={4} />
      ) : version === undefined ? (
        <p>{t("ruleEditor.noVersions")}</p>
      ) : (
        <>
          <Select
            label={t("ruleEditor.compareWith")}
            data={versions.map(({ entry }, index) => ({
              value: String(index),
              label: t("ruleEditor.beforeChange", {
                when: formatDateTime(entry.created_at),
                person: entry.created_by === null ? t("audit.nobody") : getReferenceName(entry.created_by),
              }),
            }))}
            value={String(chosen)}
            allowDeselect={false}
            onChange={(value) => setChosen(Number(value))}
            mb="md"
          />
          {differing.length === 0 && <p>{t("ruleEditor.sameVersion")}</p>}
          {differing.map((field) => (
            <section key={field}>
              <h3>{fieldLabel(field)}</h3>
              <pre className="rule-diff">
                {diffLines(version.before[field], current[field]).map(({ kind, text }, index) => (
                  // biome-ignore lint/suspicious/noArrayIndexKey: a list that is rendered once
                  <span key={index} data-kind={kind}>
                    <span className="rule-diff-sign">{kind === "added" ? "+" : kind === "removed" ? "−" : " "}</span>
                    {kind === "same" ? text : kind === "added" ? <ins>{text}</ins> : <del>{text}</del>}
                  </span>
                ))}
              </pre>
            </section>
          ))}
        </>
      )}
    </Dialog>
  );
}
