import IconDots from "@tabler/icons-react/dist/esm/icons/IconDots.mjs";
import IconLink from "@tabler/icons-react/dist/esm/icons/IconLink.mjs";
import IconPencil from "@tabler/icons-react/dist/esm/icons/IconPencil.mjs";
import IconProgress from "@tabler/icons-react/dist/esm/icons/IconProgress.mjs";
import IconSparkles from "@tabler/icons-react/dist/esm/icons/IconSparkles.mjs";
import IconUrgent from "@tabler/icons-react/dist/esm/icons/IconUrgent.mjs";
import IconUserShare from "@tabler/icons-react/dist/esm/icons/IconUserShare.mjs";
import { type ReactNode, useState } from "react";
import type { RecordType } from "../../../../records/vocabulary/index.ts";
import { formatClock } from "../../../base/moments.ts";
import { Icon, type IconComponent } from "../../../elements/icon.tsx";
import { t } from "../../../languages/index.ts";
import { Timestamp } from "../../../parts/timestamp.tsx";
import type { RecordNames } from "../../../queries/record-names.ts";
import type { AuditRow } from "../../../queries/record-page.ts";
import { remarkableChanges } from "./build-entries.ts";
import { describeChange, listFields } from "./describe-change.tsx";
import type { RevertChange } from "./use-revert-change.ts";

function pickIcon(type: RecordType, line: AuditRow): IconComponent {
  const names = remarkableChanges(line).map(([name]) => name);
  if (line.action === "create") return IconSparkles;
  if (names.includes("major_incident_status")) return IconUrgent;
  if (names.includes("team") || names.includes("member")) return IconUserShare;
  if (names.includes("status")) return IconProgress;
  return names.some((name) => type.links[name] !== undefined) ? IconLink : IconPencil;
}

type LineProps = { icon: IconComponent; at: ReactNode; children: ReactNode };

function Line({ icon, at, children }: LineProps) {
  return (
    <article className="entry entry-change">
      <span className="change-icon">
        <Icon of={icon} size={14} />
      </span>
      <span className="change-text">{children}</span>
      <span className="quiet numbers">{at}</span>
    </article>
  );
}

type Props = { type: RecordType; change: AuditRow; names: RecordNames; revertChange: RevertChange | null };

export const ChangeLine = ({ type, change, names, revertChange }: Props) => (
  <Line icon={pickIcon(type, change)} at={<Timestamp at={change.created_at} />}>
    {describeChange(type, change, names)}
    {revertChange?.isOffered(change) && (
      <button type="button" className="text-button put-back" onClick={() => revertChange.run(change, names)}>
        {t("request.change.putBack")}
      </button>
    )}
  </Line>
);

type FoldProps = {
  type: RecordType;
  changes: readonly AuditRow[];
  at: string;
  until: string;
  names: RecordNames;
  revertChange: RevertChange | null;
  onOpen?: () => void;
};

/** "6 more changes · affected SLA, watch list, CI linked", expanded by a click. */
export function FoldedChanges({ type, changes, at, until, names, revertChange, onOpen }: FoldProps) {
  const [open, setOpen] = useState(false);
  if (open)
    return changes.map((change) => (
      <ChangeLine key={change.id} type={type} change={change} names={names} revertChange={revertChange} />
    ));
  const [from, to] = [formatClock(Date.parse(at)), formatClock(Date.parse(until))];
  return (
    <Line icon={IconDots} at={from === to ? from : `${from} – ${to}`}>
      <button
        type="button"
        className="text-button"
        aria-expanded={false}
        onClick={() => {
          setOpen(true);
          onOpen?.();
        }}
      >
        {t("request.change.more", { count: changes.length })}
      </button>
      <span className="quiet"> · {listFields(changes)}</span>
    </Line>
  );
}
