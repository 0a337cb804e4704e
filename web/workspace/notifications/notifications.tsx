import { ActionIcon, Button } from "@mantine/core";
import IconAlertTriangle from "@tabler/icons-react/dist/esm/icons/IconAlertTriangle.mjs";
import IconAt from "@tabler/icons-react/dist/esm/icons/IconAt.mjs";
import IconBell from "@tabler/icons-react/dist/esm/icons/IconBell.mjs";
import IconBellOff from "@tabler/icons-react/dist/esm/icons/IconBellOff.mjs";
import IconChecks from "@tabler/icons-react/dist/esm/icons/IconChecks.mjs";
import IconClock from "@tabler/icons-react/dist/esm/icons/IconClock.mjs";
import IconEye from "@tabler/icons-react/dist/esm/icons/IconEye.mjs";
import IconMessageReply from "@tabler/icons-react/dist/esm/icons/IconMessageReply.mjs";
import IconRubberStamp from "@tabler/icons-react/dist/esm/icons/IconRubberStamp.mjs";
import IconUserCheck from "@tabler/icons-react/dist/esm/icons/IconUserCheck.mjs";
import IconUsers from "@tabler/icons-react/dist/esm/icons/IconUsers.mjs";
import { useInfiniteQuery, useQueryClient } from "@tanstack/react-query";
import { useEffect } from "react";
import { useLinkKeys } from "../../actions/link-keys.ts";
import { useActions } from "../../actions/registry.ts";
import { useCurrentAccount } from "../../api/current-account.ts";
import { liveApi, type PageNotification } from "../../api/index.ts";
import { linkTo } from "../../base/history.ts";
import { paths } from "../../base/paths.ts";
import { findEntry } from "../../base/type-index.ts";
import { Icon, type IconComponent } from "../../elements/icon.tsx";
import { tip } from "../../elements/tip.tsx";
import { showError } from "../../elements/toast.tsx";
import { t } from "../../languages/index.ts";
import { onLiveEvent } from "../../live/events.ts";
import { setUnreadNotifications } from "../../live/inbox-counts.ts";
import { EmptyState } from "../../parts/empty-state.tsx";
import { RowBoundary } from "../../parts/lists/row-boundary.tsx";
import { PageBar } from "../../parts/page-bar.tsx";
import { Avatar } from "../../parts/people/avatar.tsx";
import { ErrorPanel } from "../../parts/states/error-panel.tsx";
import { SkeletonRows } from "../../parts/states/skeleton-rows.tsx";
import { Timestamp } from "../../parts/timestamp.tsx";
import { formatWorkId } from "../../parts/work/work-id.ts";
import { notificationQueries } from "../../queries/workspace/notifications.ts";
import { BrowserNotices } from "./browser-notices.tsx";

// The reader's notifications: mentions, assignments, approvals, answers, near targets, watched records, halted work.
// Newest first.

const icons: Readonly<Record<PageNotification["kind"], IconComponent>> = {
  mention: IconAt,
  assignment: IconUserCheck,
  approval: IconRubberStamp,
  answer: IconMessageReply,
  target: IconClock,
  team: IconUsers,
  watched: IconEye,
  halted: IconAlertTriangle,
};

function useNotifications() {
  const { api } = useCurrentAccount();
  const queries = useQueryClient();
  const { markNotificationsRead, setMuted } = liveApi(api.account);
  const pages = notificationQueries.pages(api);
  const query = useInfiniteQuery(pages);
  const { refetch } = query;
  // A pending first load may have started before the notification was created, so it is repeated.
  useEffect(
    () => onLiveEvent("notification", () => void (query.isPending ? refetch().then(() => refetch()) : refetch())),
    [refetch, query.isPending],
  );
  const change = (update: (item: PageNotification) => PageNotification) =>
    queries.setQueryData(pages.queryKey, (data) =>
      data === undefined
        ? data
        : { ...data, pages: data.pages.map((page) => ({ ...page, items: page.items.map(update) })) },
    );
  const markRead = (ids?: readonly number[]) => {
    const at = new Date().toISOString();
    change((item) => (ids === undefined || ids.includes(item.id) ? { ...item, read_at: item.read_at ?? at } : item));
    markNotificationsRead(ids).then(({ unread }) => setUnreadNotifications(unread), showError);
  };
  const mute = ({ type, record, muted }: PageNotification) => {
    change((item) => (item.type === type && item.record.id === record.id ? { ...item, muted: !muted } : item));
    setMuted(type, record.id, !muted).catch(showError);
  };
  return { ...query, items: query.data?.pages.flatMap((page) => page.items), markRead, mute };
}

export function NotificationsScreen() {
  const { items, error, refetch, hasNextPage, fetchNextPage, isFetchingNextPage, markRead, mute } = useNotifications();
  const unread = items?.some(({ read_at }) => read_at === null) ?? false;
  const readAll = {
    id: "notifications.read",
    name: t("notifications.readAll"),
    group: "list",
    keys: "shift+a",
  } as const;
  useLinkKeys(".notices a");
  useActions([{ ...readAll, icon: IconChecks, when: unread, run: () => markRead() }]);
  return (
    <div className="page">
      <PageBar
        title={t("menu.notificationsPage")}
        actions={
          <>
            <BrowserNotices />
            <Button
              variant="default"
              size="xs"
              disabled={!unread}
              leftSection={<Icon of={IconChecks} />}
              onClick={() => markRead()}
            >
              {t("notifications.readAll")}
            </Button>
          </>
        }
      />
      <div className="page-body">
        {error !== null ? (
          <ErrorPanel error={error} retry={() => void refetch()} level={2} />
        ) : items === undefined ? (
          <SkeletonRows />
        ) : items.length === 0 ? (
          <EmptyState icon={IconBell} title={t("notifications.none")} lead={t("notifications.noneLead")} />
        ) : (
          <ul className="notices">
            {items.map((item) => (
              <RowBoundary key={item.id} row={item}>
                {() => <Notice item={item} onRead={() => markRead([item.id])} onMute={() => mute(item)} />}
              </RowBoundary>
            ))}
          </ul>
        )}
        {hasNextPage && (
          <div className="notices-more">
            <Button variant="default" loading={isFetchingNextPage} onClick={() => void fetchNextPage()}>
              {t("notifications.older")}
            </Button>
          </div>
        )}
      </div>
    </div>
  );
}

function Notice({ item, onRead, onMute }: { item: PageNotification; onRead(): void; onMute(): void }) {
  const { account } = useCurrentAccount();
  const type = findEntry(item.type);
  if (type === undefined) return null;
  const note = item.note_id === null ? "" : `#note-${item.note_id}`;
  const { href, onClick } = linkTo(paths.record(account.id, type, item.record.id) + note);
  const mute = item.muted ? t("notifications.unmute") : t("notifications.mute");
  return (
    <li className="notice" data-unread={item.read_at === null || undefined}>
      <a
        href={href}
        onClick={(event) => {
          if (item.read_at === null) onRead();
          onClick(event);
        }}
      >
        <span className="notice-dot">
          {item.read_at === null && <span className="spoken">{t("notifications.unread")}</span>}
        </span>
        <Icon of={icons[item.kind]} />
        {item.by !== null && <Avatar person={item.by} silent />}
        <span className="notice-text truncate">
          {t("notifications.text", { kind: item.kind, by: item.by?.name ?? t("audit.nobody") })}
          <span className="notice-record">
            {formatWorkId(item.type, item.record.id)} {item.record.name}
          </span>
        </span>
        <span className="quiet notice-time">
          <Timestamp at={item.created_at} />
        </span>
      </a>
      <ActionIcon
        variant="subtle"
        size={28}
        c="var(--text-2)"
        aria-label={`${mute}: ${item.record.name}`}
        aria-pressed={item.muted}
        {...tip(mute)}
        onClick={onMute}
      >
        <Icon of={item.muted ? IconBellOff : IconBell} />
      </ActionIcon>
    </li>
  );
}
