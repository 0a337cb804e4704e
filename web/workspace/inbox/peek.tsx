import { ActionIcon, Menu } from "@mantine/core";
import IconArrowsDiagonal from "@tabler/icons-react/dist/esm/icons/IconArrowsDiagonal.mjs";
import IconChevronDown from "@tabler/icons-react/dist/esm/icons/IconChevronDown.mjs";
import IconChevronRight from "@tabler/icons-react/dist/esm/icons/IconChevronRight.mjs";
import IconChevronUp from "@tabler/icons-react/dist/esm/icons/IconChevronUp.mjs";
import IconDots from "@tabler/icons-react/dist/esm/icons/IconDots.mjs";
import IconLock from "@tabler/icons-react/dist/esm/icons/IconLock.mjs";
import IconUrgent from "@tabler/icons-react/dist/esm/icons/IconUrgent.mjs";
import IconX from "@tabler/icons-react/dist/esm/icons/IconX.mjs";
import { useQuery } from "@tanstack/react-query";
import { useEffect, useEffectEvent } from "react";
import type { RecordTypes } from "../../../records/index.ts";
import type { RecordOf } from "../../../records/vocabulary/index.ts";
import type { Action } from "../../actions/action.ts";
import { ActionButton } from "../../actions/action-button.tsx";
import { useCurrentAccount } from "../../api/current-account.ts";
import { type InboxItem, liveApi } from "../../api/index.ts";
import { Chip } from "../../elements/chip.tsx";
import { Icon, type IconComponent } from "../../elements/icon.tsx";
import { Kbd } from "../../elements/kbd.tsx";
import { t } from "../../languages/index.ts";
import { usePresence } from "../../live/presence.ts";
import { ErrorMessage } from "../../parts/error-message.tsx";
import { Markup } from "../../parts/markup/markup.tsx";
import { Avatar } from "../../parts/people/avatar.tsx";
import { PersonName } from "../../parts/people/person-name.tsx";
import { SkeletonRows } from "../../parts/states/skeleton-rows.tsx";
import { Timestamp } from "../../parts/timestamp.tsx";
import { ImpactChip } from "../../parts/work/impact.tsx";
import { StatusChip } from "../../parts/work/status.tsx";
import { formatWorkId } from "../../parts/work/work-id.ts";
import { readReference } from "../../queries/reference.ts";
import { inboxQueries } from "../../queries/workspace/inbox.ts";
import { buildItemKey } from "./inbox-groups.ts";
import { isMajor } from "./inbox-row.tsx";
import { TargetCard } from "./target-card.tsx";
import { useItemPatches } from "./use-inbox.ts";

type Note = Pick<RecordOf<RecordTypes["note"]>, "id" | "text" | "internal" | "person" | "created_at">;

type Props = {
  item: InboxItem;
  /** the buttons at the bottom, then the menu entries */
  actions: readonly Action[];
  more: readonly Action[];
  onMove(step: number): void;
  onOpen(): void;
  onClose(): void;
};

/** The record beside the list, with enough information to decide what to do with it. */
export function Peek({ item, actions, more, onMove, onOpen, onClose }: Props) {
  const { api } = useCurrentAccount();
  const record = useQuery(inboxQueries.record(api, item));
  const row = record.data?.row;
  const notes = useQuery(inboxQueries.latestNotes(api, item));
  const others = usePresence(item.type, item.id);
  useSeen(item);
  const requester = readReference(row?.requested_for ?? row?.manager);
  const organization = readReference(row?.organization);
  const service = item.service_instance ?? readReference(row?.service);
  return (
    <aside className="peek" aria-label={t("inbox.peek")}>
      <div className="peek-bar">
        <span className="quiet numbers">{formatWorkId(item.type, item.id)}</span>
        {isMajor(item) && (
          <Chip tone="red" icon={IconUrgent}>
            {t("inbox.majorIncident")}
          </Chip>
        )}
        <span className="peek-buttons">
          <BarButton icon={IconChevronUp} label={t("inbox.previous")} onClick={() => onMove(-1)} />
          <BarButton icon={IconChevronDown} label={t("inbox.next")} onClick={() => onMove(1)} />
          <BarButton icon={IconArrowsDiagonal} label={t("inbox.open")} onClick={onOpen} />
          <BarButton icon={IconX} label={t("app.close")} onClick={onClose} />
        </span>
      </div>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: it scrolls */}
      <section className="peek-body" tabIndex={0} aria-label={item.subject}>
        <h2 className="peek-subject">{item.subject}</h2>
        {requester !== null && (
          <div className="peek-requester">
            <PersonName person={requester} you={false} />
            {organization !== null && <span className="quiet">· {organization.name}</span>}
            {typeof row?.created_at === "string" && (
              <span className="quiet">
                · <Timestamp at={row.created_at} />
              </span>
            )}
          </div>
        )}
        <TargetCard item={item} />
        <dl className="peek-facts">
          <dt>{t("inbox.status")}</dt>
          <dd>
            <StatusChip type={item.type} status={item.status} />
          </dd>
          {item.impact !== null && (
            <>
              <dt>{t("inbox.impact")}</dt>
              <dd>
                <ImpactChip impact={item.impact} explained />
              </dd>
            </>
          )}
          <dt>{t("inbox.team")}</dt>
          <dd className="peek-team">
            <span className="truncate">{item.team?.name ?? t("people.nobody")}</span>
            <Icon of={IconChevronRight} size={14} />
            <PersonName person={item.member} />
          </dd>
          {service !== null && (
            <>
              <dt>{t("inbox.service")}</dt>
              <dd>{service.name}</dd>
            </>
          )}
        </dl>
        {record.isError && <ErrorMessage error={record.error} retry={() => void record.refetch()} />}
        <div className="peek-latest">
          <h3 className="peek-heading">{t("inbox.latest")}</h3>
          {notes.isPending && <SkeletonRows rows={2} />}
          {notes.data?.rows.map((note) => (
            <PeekNote key={note.id} note={note} />
          ))}
          {notes.data?.rows.length === 0 && <p className="quiet">{t("inbox.noNotes")}</p>}
          {others
            .filter(({ doing }) => doing === "writing")
            .map((person) => (
              <p key={person.id} className="peek-writing" role="status">
                <Avatar person={person} silent /> {t("inbox.isWriting", { name: person.name })}
                <span className="writing-dots" aria-hidden="true" />
              </p>
            ))}
        </div>
      </section>
      <div className="peek-actions">
        {actions.map((action, at) => (
          <ActionButton key={action.id} action={action} primary={at === 0} />
        ))}
        <MoreMenu actions={more} />
      </div>
    </aside>
  );
}

/** A record shown for a second counts as seen. */
function useSeen(item: InboxItem): void {
  const { account } = useCurrentAccount();
  const { patch } = useItemPatches();
  const markSeen = useEffectEvent(() => {
    patch(item, (was) => ({ ...was, unread: false }));
    void liveApi(account.id)
      .markSeen(item.type, item.id)
      .catch(() => {}); // it stays unread on the server, and is marked the next time
  });
  // Each revision is marked separately.
  const unseen = item.unread ? `${buildItemKey(item)} ${item.revision}` : "";
  useEffect(() => {
    if (unseen === "") return;
    const timer = setTimeout(markSeen, 1000);
    return () => clearTimeout(timer);
  }, [unseen]);
}

function PeekNote({ note }: { note: Note }) {
  return (
    <article className="peek-note" data-internal={note.internal || undefined}>
      <Avatar person={note.person} size={24} silent />
      <div className="peek-note-body">
        <div className="peek-note-head">
          <strong>{note.person?.name ?? t("audit.nobody")}</strong>
          <span className="quiet">
            <Timestamp at={note.created_at} />
          </span>
          {note.internal && (
            <Chip tone="yellow" icon={IconLock}>
              {t("inbox.internal")}
            </Chip>
          )}
        </div>
        <Markup text={note.text} />
      </div>
    </article>
  );
}

const BarButton = ({ icon, label, onClick }: { icon: IconComponent; label: string; onClick(): void }) => (
  <ActionIcon variant="subtle" color="gray" size={26} aria-label={label} data-tip={label} onClick={onClick}>
    <Icon of={icon} />
  </ActionIcon>
);

export function MoreMenu({ actions }: { actions: readonly Action[] }) {
  return (
    <Menu position="top-end" shadow="md">
      <Menu.Target>
        <ActionIcon variant="default" size={30} aria-label={t("record.more")}>
          <Icon of={IconDots} />
        </ActionIcon>
      </Menu.Target>
      <Menu.Dropdown>
        {actions
          .filter(({ when }) => when !== false)
          .map(({ id, name, icon, keys, run }) => (
            <Menu.Item
              key={id}
              onClick={() => void run()}
              leftSection={icon === undefined ? null : <Icon of={icon} />}
              rightSection={keys === undefined ? null : <Kbd keys={keys} />}
            >
              {name}
            </Menu.Item>
          ))}
      </Menu.Dropdown>
    </Menu>
  );
}
