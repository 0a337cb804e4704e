import type { RecordType } from "../../../records/vocabulary/index.ts";
import type { Row } from "../../api.ts";
import { useCurrentAccount } from "../../current-account.ts";
import { t } from "../../languages/index.ts";

/** Why the reader cannot change it; null: they can. */
export function useLock(type: RecordType, row: Row): string | null {
  const { may } = useCurrentAccount();
  const foreign = row.account as { name: string } | undefined;
  if (row.archived === true || row.trashed === true) return t("request.locked.archived");
  if (foreign !== undefined && type.sharing.perAccount.length === 0)
    return t("record.foreign", { account: foreign.name });
  return may("update", type) ? null : t("request.locked.role");
}
