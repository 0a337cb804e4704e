import type { RecordType } from "../../../records/vocabulary/index.ts";
import { useCurrentAccount } from "../../api/current-account.ts";
import type { Row } from "../../api/index.ts";
import { t } from "../../languages/index.ts";
import { getReferenceName } from "../../queries/reference.ts";
import { getReference } from "./page-parts.ts";

/** The reason why the reader can't change the record; null: they can. */
export function useLock(type: RecordType, row: Row): string | null {
  const { may } = useCurrentAccount();
  const foreign = getReference(row, "account");
  if (row.archived === true || row.trashed === true) return t("request.locked.archived");
  if (foreign !== null && type.sharing.perAccount.length === 0)
    return t("record.foreign", { account: getReferenceName(foreign) });
  return may("update", type) ? null : t("request.locked.role");
}
