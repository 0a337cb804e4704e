import { Progress } from "@mantine/core";
import { notifications } from "@mantine/notifications";
import IconAlertTriangle from "@tabler/icons-react/dist/esm/icons/IconAlertTriangle.mjs";
import type { QueryClient } from "@tanstack/react-query";
import type { AnswerOf } from "../../../../records/answers/answer-of.ts";
import type { bulkOrder, bulkProgress } from "../../../../records/answers/bulk-changes.ts";
import type { RecordType } from "../../../../records/vocabulary/index.ts";
import type { Api } from "../../../api/index.ts";
import { Icon } from "../../../elements/icon.tsx";
import { showError, showMessage, showUndo } from "../../../elements/toast.tsx";
import { t } from "../../../languages/index.ts";
import { collectionLabel, fieldLabel, lowerFirst, typeLabel } from "../../../languages/labels.ts";
import { accountQueries } from "../../../queries/account.ts";

// A running change of many records: a toast that outlives the page on which it was started, then a report with undo.

export type BulkOrder = AnswerOf<typeof bulkOrder>;
type BulkProgress = AnswerOf<typeof bulkProgress>;

type Watch = {
  api: Api;
  queries: QueryClient;
  type: RecordType;
  /** called when the server has accepted it */
  onBegun?(): void;
};

const pollMilliseconds = 400;
const pause = () => new Promise((go) => setTimeout(go, pollMilliseconds));
const isRunning = ({ state }: BulkProgress): boolean => ["queued", "processing", "undoing"].includes(state);

/** Each distinct reason, with the number of records that gave it. */
export function describeRefusals(refused: BulkProgress["refused"], most = 5): string[] {
  const reasons = new Map<string, number[]>();
  for (const { id, errors } of refused) {
    const reason = errors.map(([field, text]) => (field === "base" ? text : `${fieldLabel(field)} ${text}`)).join(", ");
    reasons.set(reason, [...(reasons.get(reason) ?? []), id]);
  }
  return [...reasons]
    .slice(0, most)
    .map(([reason, ids]) =>
      t("bulk.reason", { ids: ids.slice(0, 3).join(", "), more: ids.length > 3 ? "…" : "", reason }),
    );
}

function showProgress(id: string, { done, total, state }: BulkProgress, types: string, cancel: () => void): void {
  const message = (
    <span className="list-progress">
      <span>{t(state === "undoing" ? "bulk.undoing" : "bulk.running", { done, total, types })}</span>
      <Progress value={total === 0 ? 0 : (done / total) * 100} size="sm" aria-label={t("bulk.progress")} />
      {state !== "undoing" && (
        <button type="button" className="undo-action" onClick={cancel}>
          {t("form.cancel")}
        </button>
      )}
    </span>
  );
  const toast = { id, message, autoClose: false as const, withCloseButton: false, loading: true };
  notifications.update(toast);
}

/** Starts the change and follows it to its end, on whichever page the person is. */
export async function startBulkChange(watch: Watch, order: BulkOrder): Promise<void> {
  const { api, queries, type } = watch;
  const [one, types] = [lowerFirst(typeLabel(type)), lowerFirst(collectionLabel(type))];
  const refresh = () => void queries.invalidateQueries({ queryKey: accountQueries.all(api) });
  try {
    const started = await api.call("POST /bulk_changes", {}, order);
    if (!("token" in started)) return; // a preview changes nothing
    const { token } = started;
    watch.onBegun?.();
    const ended = await follow(watch, token, types);
    refresh();
    const undo = async () => {
      await api.call("POST /bulk_changes/:token/undo", { token });
      const undone = await follow(watch, token, types);
      refresh();
      showMessage(t("bulk.undone", { count: undone.undone, type: one, types }));
      if (undone.refused.length > 0) showReport(undone, types);
    };
    const text = t(ended.state === "canceled" ? "bulk.canceled" : "bulk.changed", {
      count: ended.changed,
      total: ended.total,
      type: one,
      types,
    });
    // A note cannot be recalled.
    const isOnlyNote = Object.keys(order.change ?? {}).length === 0 && order.link === undefined;
    if (ended.changed > 0 && ended.undo_until !== undefined && !isOnlyNote) showUndo(text, undo);
    else showMessage(text);
    if (ended.refused.length > 0) showReport(ended, types);
  } catch (error) {
    showError(error);
  }
}

async function follow({ api }: Watch, token: string, types: string): Promise<BulkProgress> {
  const id = `bulk-${crypto.randomUUID()}`;
  let shown = false;
  const cancel = () => void api.call("DELETE /bulk_changes/:token", { token }).catch(showError);
  try {
    for (let first = true; ; first = false) {
      const progress = await api.call("GET /bulk_changes/:token", { token });
      if (!isRunning(progress)) return progress;
      if (!shown && !first) {
        notifications.show({ id, message: "", autoClose: false, withCloseButton: false, loading: true });
        shown = true;
      }
      if (shown) showProgress(id, progress, types, cancel);
      await pause();
    }
  } finally {
    notifications.hide(id);
  }
}

/** The refusals with their reasons; stays until it is closed. */
function showReport({ refused }: BulkProgress, types: string): void {
  notifications.show({
    title: t("bulk.refused", { count: refused.length, types }),
    message: (
      <ul className="list-report">
        {describeRefusals(refused).map((line) => (
          <li key={line}>{line}</li>
        ))}
      </ul>
    ),
    icon: <Icon of={IconAlertTriangle} size={18} />,
    color: "yellow",
    autoClose: false,
    closeButtonProps: { "aria-label": t("app.close") },
  });
}
