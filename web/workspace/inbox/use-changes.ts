import { useQueryClient } from "@tanstack/react-query";
import { ApiError, type InboxItem, liveApi } from "../../api.ts";
import { useCurrentAccount } from "../../current-account.ts";
import { t } from "../../languages/index.ts";
import { StaleWrite, sendWrite } from "../../live/write-queue.ts";
import { showError, showUndo } from "../../parts/toast.tsx";
import { formatWorkId } from "../../parts/work/work-id.ts";
import { findEntry } from "../../type-index.ts";
import { useItemPatches } from "./use-inbox.ts";

// Changes of rows: shown at once, sent with the revision that was shown, undone by the opposite change.

export type ItemChange = {
  /** as the API takes it */
  body: Readonly<Record<string, unknown>>;
  /** as the row shows it */
  shown: Partial<InboxItem>;
};

const readBase = (item: InboxItem, name: string): unknown => {
  if (name === "member_id") return item.member?.id ?? null;
  if (name === "team_id") return item.team?.id ?? null;
  return (item as unknown as Record<string, unknown>)[name] ?? null;
};
const baseNames = new Set(["status", "member_id", "team_id", "impact"]);
const pickBase = (item: InboxItem, body: ItemChange["body"]): Record<string, unknown> =>
  Object.fromEntries(
    Object.keys(body)
      .filter((name) => baseNames.has(name))
      .map((name) => [name, readBase(item, name)]),
  );

export function useItemChanges() {
  const { who, account } = useCurrentAccount();
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
      void queries.invalidateQueries({ queryKey: [account.id, "record", item.type, String(item.id)] });
      // My own change is nothing new to me.
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

  /** `describe` says what was done, for the toast that offers to undo it. */
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
      void queries.invalidateQueries({ queryKey: [account.id, "inbox"] });
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
