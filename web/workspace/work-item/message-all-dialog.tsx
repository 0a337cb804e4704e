import { Button, Checkbox, Textarea } from "@mantine/core";
import { useQuery, useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import type { RecordType } from "../../../records/vocabulary/index.ts";
import { request as requestType } from "../../../records/work/request.ts";
import { useCurrentAccount } from "../../api/current-account.ts";
import type { Row } from "../../api/index.ts";
import { type DraftHandle, useDraft } from "../../drafts/use-draft.ts";
import { Kbd } from "../../elements/kbd.tsx";
import { showError, showMessage } from "../../elements/toast.tsx";
import { t } from "../../languages/index.ts";
import { Dialog } from "../../parts/dialogs/dialog.tsx";
import { LoadingDialog } from "../../parts/dialogs/dialog-loading.tsx";
import { useSave } from "../../parts/save/use-save.ts";
import { toCount } from "../../queries/total.ts";
import { requestQueries } from "../../queries/work/requests.ts";
import { startBulkChange } from "../lists/bulk/bulk-progress.tsx";

type Props = { type: RecordType; row: Row; onClose(): void };

/**
 * One message for all affected people. The server copies the note of a group to its members; the requests of a problem
 * get theirs by one bulk change, whose progress is shown.
 */
export default function MessageAllDialog(props: Props) {
  const draft = useDraft(`${props.type.name}/${props.row.id}/tell_all`);
  // A field that is disabled until its draft is loaded can't have the focus.
  return draft.isLoaded ? <TellAllForm {...props} draft={draft} /> : <LoadingDialog onClose={props.onClose} />;
}

function TellAllForm({ type, row, draft, onClose }: Props & { draft: DraftHandle }) {
  const { account, api } = useCurrentAccount();
  const queries = useQueryClient();
  const save = useSave(type, String(row.id));
  const [closedToo, setClosedToo] = useState(false);
  const isGroup = type.name === "request";
  const filter = { [isGroup ? "grouped_into" : "problem"]: String(row.id) };
  const query = closedToo || isGroup ? filter : { ...filter, status: "!completed" };
  const counted = useQuery(requestQueries.count(api, query));
  const count = counted.data === undefined ? 0 : toCount(counted.data);
  const text = draft.text.trim();
  const isReady = text !== "" && (counted.data?.total ?? 0) > 0;
  const send = async () => {
    if (!isReady) return;
    onClose();
    if (!isGroup) {
      const order = { collection: "requests", query: new URLSearchParams(query).toString(), change: {}, note: text };
      const watch = { api, queries, account: account.id, type: requestType, onBegun: draft.remove };
      return startBulkChange(watch, order);
    }
    try {
      await save({ note: text });
      draft.remove();
      showMessage(t("request.tellAll.told", { count }));
    } catch (error) {
      showError(error);
    }
  };
  return (
    <Dialog title={t("request.tellAll")} onClose={onClose}>
      <form
        className="complete-form"
        onSubmit={(event) => {
          event.preventDefault();
          void send();
        }}
      >
        <p className="quiet" role="status">
          {counted.data === undefined ? t("app.loading") : t("request.tellAll.count", { count })}
        </p>
        <Textarea
          data-autofocus
          autosize
          minRows={5}
          label={t("request.tellAll.text")}
          value={draft.text}
          onChange={(event) => draft.setText(event.currentTarget.value)}
          onKeyDown={(event) => {
            if (event.key !== "Enter" || !(event.metaKey || event.ctrlKey)) return;
            event.preventDefault();
            void send();
          }}
        />
        {!isGroup && (
          <Checkbox
            size="sm"
            label={t("request.tellAll.closedToo")}
            checked={closedToo}
            onChange={(event) => setClosedToo(event.currentTarget.checked)}
          />
        )}
        <div className="dialog-actions">
          <Button variant="default" onClick={onClose}>
            {t("form.cancel")}
          </Button>
          <Button type="submit" disabled={!isReady} rightSection={<Kbd keys="mod+enter" />}>
            {t("request.tellAll.send", { count })}
          </Button>
        </div>
      </form>
    </Dialog>
  );
}
