import { useQueryClient } from "@tanstack/react-query";
import { useCurrentAccount } from "../../api/current-account.ts";
import { ApiError, type InboxItem, liveApi } from "../../api/index.ts";
import { findEntry } from "../../base/type-index.ts";
import { showError, showUndo } from "../../elements/toast.tsx";
import { t } from "../../languages/index.ts";
import { StaleWrite, sendWrite } from "../../live/write-queue.ts";
import { formatWorkId } from "../../parts/work/work-id.ts";
import { recordQueries } from "../../queries/records.ts";
import { inboxQueries } from "../../queries/workspace/inbox.ts";
import { useItemPatches } from "./use-inbox.ts";

// Changes of rows: shown immediately, sent with the displayed revision, undone by the reverse change.

export type ItemChange = {
  /** in the format of the API */
  body: Readonly<Record<string, unknown>>;
  /** in the format of the row */
  shown: Partial<InboxItem>;
};

const readBase = (item: InboxItem, name: string): unknown => {
  if (name === "member_id") return item.member?.id ?? null;
  if (name === "team_id") return item.team?.id ?? null;
  const values: Readonly<Record<string, unknown>> = item;
  return values[name] ?? null;
};
const baseNames = new Set(["status", "member_id", "team_id", "impact"]);
const pickBase = (item: InboxItem, body: ItemChange["body"]): Record<string, unknown> =>
  Object.fromEntries(
    Object.keys(body)
      .filter((name) => baseNames.has(name))
      .map((name) => [name, readBase(item, name)]),
  );

export function useItemChanges() {
  const { who, account, api } = useCurrentAccount();
  const queries = useQueryClient();
  const { showChange } = useItemPatches();

  const send = async (item: InboxItem, { body, shown }: ItemChange): Promise<InboxItem> => {
    const settle = showChange(item, shown);
    const path = `/${findEntry(item.type)?.collection}/${item.id}`;
    const write = { account: account.id, path, body, revision: item.revision, base: pickBase(item, body) };
    try {
      const { revision } = await sendWrite(who.person.id, write);
      const changed = { ...item, ...shown, revision: revision ?? item.revision, unread: false };
      settle((was) => ({ ...was, ...shown, revision: changed.revision, unread: false }));
      void queries.invalidateQueries({ queryKey: recordQueries.all(api, item.type, item.id) });
      // A person's own change doesn't make the row unread.
      void liveApi(account.id)
        .markSeen(item.type, item.id)
        .catch(() => {});
      return changed;
    } catch (error) {
      settle(() => item);
      throw error instanceof StaleWrite
        ? new ApiError(422, "stale", [["status", t("inbox.stale", { id: formatWorkId(item.type, item.id) })]])
        : error;
    }
  };

  /** `describe` returns the message of the toast that offers to undo it. */
  const change = async (
    items: readonly InboxItem[],
    build: (item: InboxItem) => ItemChange,
    describe: (count: number) => string,
  ): Promise<void> => {
    const results = await Promise.allSettled(
      items.map(async (item) => ({ before: item, after: await send(item, build(item)), body: build(item).body })),
    );
    const done = results.flatMap((result) => (result.status === "fulfilled" ? [result.value] : []));
    const refused = results.find((result) => result.status === "rejected");
    if (refused !== undefined) {
      showError(refused.reason);
      void queries.invalidateQueries({ queryKey: inboxQueries.all(api) });
    }
    if (done.length === 0) return;
    showUndo(describe(done.length), async () => {
      for (const { before, after, body } of done) {
        const changed = Object.keys(body).filter((name) => name !== "note");
        const opposite = Object.fromEntries(changed.map((name) => [name, readBase(before, name)]));
        const { status, member, team, impact } = before;
        await send(after, { body: opposite, shown: { status, member, team, impact } });
      }
    });
  };
  return { change };
}
