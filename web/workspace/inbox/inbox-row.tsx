import IconEye from "@tabler/icons-react/dist/esm/icons/IconEye.mjs";
import IconMessageCircle from "@tabler/icons-react/dist/esm/icons/IconMessageCircle.mjs";
import { type MouseEvent, memo, type PointerEvent, useRef } from "react";
import type { InboxItem } from "../../api/index.ts";
import { Chip } from "../../elements/chip.tsx";
import { Icon } from "../../elements/icon.tsx";
import { t } from "../../languages/index.ts";
import { usePeopleOn } from "../../live/presence.ts";
import { Avatar } from "../../parts/people/avatar.tsx";
import { ImpactIcon } from "../../parts/work/impact.tsx";
import { SlaChip, type TargetKind } from "../../parts/work/sla-chip.tsx";
import { StatusIcon, statusLabel } from "../../parts/work/status.tsx";
import { CategoryIcon } from "../../parts/work/type-icon.tsx";
import { formatWorkId } from "../../parts/work/work-id.ts";

type Props = {
  item: InboxItem;
  id: string;
  isFocused: boolean;
  isSelected: boolean;
  showsService: boolean;
  onFocus(item: InboxItem): void;
  onOpen(item: InboxItem): void;
  onToggle(item: InboxItem): void;
  onSwipe(item: InboxItem, direction: "right" | "left"): void;
};

const targetKinds: readonly TargetKind[] = ["response", "resolution", "desired"];
export const pickTargetKind = ({ kind_of_target: kind }: InboxItem): TargetKind | undefined =>
  targetKinds.find((each) => each === kind);

const swipeWidth = 60; // pixels

/** One work record. It reads as: kind, number, subject, status, target. */
export const InboxRow = memo(function InboxRow(props: Props) {
  const { item, id, isFocused, isSelected, showsService, onFocus, onOpen, onToggle, onSwipe } = props;
  const others = usePeopleOn(item.type, item.id);
  const begun = useRef<{ x: number; y: number } | null>(null);
  const onClick = (event: MouseEvent) => {
    if (event.metaKey || event.ctrlKey || event.shiftKey) onToggle(item);
    else onFocus(item);
  };
  const onPointerUp = (event: PointerEvent) => {
    const from = begun.current;
    begun.current = null;
    if (from === null || Math.abs(event.clientY - from.y) > swipeWidth / 2) return;
    const moved = event.clientX - from.x;
    if (Math.abs(moved) > swipeWidth) onSwipe(item, moved > 0 ? "right" : "left");
  };
  return (
    // biome-ignore lint/a11y/useFocusableInteractive: the list has the focus and names its active option
    // biome-ignore lint/a11y/useKeyWithClickEvents: keys act on the list
    <div
      id={id}
      role="option"
      aria-selected={isSelected}
      className="inbox-row"
      data-focused={isFocused || undefined}
      data-unread={item.unread || undefined}
      onClick={onClick}
      onDoubleClick={() => onOpen(item)}
      onPointerDown={(event) => {
        if (event.pointerType === "touch") begun.current = { x: event.clientX, y: event.clientY };
      }}
      onPointerUp={onPointerUp}
    >
      <span className="inbox-mark" data-selected={isSelected || undefined}>
        {item.unread && <span className="spoken">{t("inbox.unread")}</span>}
      </span>
      <CategoryIcon type={item.type} {...(item.category === null ? {} : { category: item.category })} />
      <span className="inbox-id numbers">{formatWorkId(item.type, item.id)}</span>
      <span className="inbox-impact">{item.impact !== null && <ImpactIcon impact={item.impact} />}</span>
      <span className="inbox-subject">
        <span className="truncate">{item.subject}</span>
        {isMajor(item) && <Chip tone="red">{t("inbox.major")}</Chip>}
        {item.notes > 0 && (
          <span className="inbox-notes numbers">
            <Icon of={IconMessageCircle} size={14} />
            <span aria-hidden="true">{item.notes}</span>
            <span className="spoken">{t("inbox.notes", { count: item.notes })}</span>
          </span>
        )}
        {others.length > 0 && (
          <span className="inbox-others">
            {others.slice(0, 3).map((person) => (
              <Avatar key={person.id} person={person} />
            ))}
            <Icon of={IconEye} size={14} />
          </span>
        )}
      </span>
      {showsService && <span className="inbox-service truncate quiet">{item.service_instance?.name ?? ""}</span>}
      <span className="inbox-status">
        <StatusIcon type={item.type} status={item.status} />
      </span>
      <span className="inbox-member">
        <Avatar person={item.member} />
      </span>
      <span className="inbox-target">
        <SlaChip target={item.next_target_at} status={item.status} kind={pickTargetKind(item)} />
      </span>
      <span className="inbox-second quiet">
        {formatWorkId(item.type, item.id)} · {statusLabel(item.type, item.status)}
        {item.member === null ? "" : ` · ${item.member.name}`}
      </span>
    </div>
  );
});

export const isMajor = ({ major_incident_status: status }: InboxItem): boolean =>
  status !== null && status !== "rejected" && status !== "canceled" && status !== "resolved";
