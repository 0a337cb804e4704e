import type { RecordType } from "../../../../records/vocabulary/index.ts";
import type { Action } from "../../../actions/action.ts";
import { useCurrentAccount } from "../../../api/current-account.ts";
import type { Row } from "../../../api/index.ts";
import { showError, showMessage } from "../../../elements/toast.tsx";
import { t } from "../../../languages/index.ts";
import { typeLabel } from "../../../languages/labels.ts";
import { pagePath, useRefreshRecord } from "../../../queries/record-page.ts";
import { getReference } from "../page-parts.ts";

/** Restores the record from the archive or the trash. */
export function useRestore(type: RecordType, row: Row): Action {
  const { api, isAdministrator } = useCurrentAccount();
  const refresh = useRefreshRecord(type, String(row.id));
  const isAway = row.archived === true || row.trashed === true;
  const run = async () => {
    try {
      await api.act(`${pagePath(type, row.id)}/restore`);
      await refresh();
      showMessage(t("record.done.restore", { type: typeLabel(type) }));
    } catch (error) {
      showError(error);
    }
  };
  const isOwn = getReference(row, "account") === null;
  return {
    id: "request.restore",
    group: "record",
    name: t("record.restore"),
    when: isAway && isOwn && isAdministrator,
    run,
  };
}
