import IconStack2 from "@tabler/icons-react/dist/esm/icons/IconStack2.mjs";
import type { RecordType } from "../../../records/vocabulary/index.ts";
import type { Action } from "../../actions/action.ts";
import { useCurrentAccount } from "../../api/current-account.ts";
import type { Row } from "../../api/index.ts";
import { paths } from "../../base/paths.ts";
import { Link } from "../../elements/link.tsx";
import { t } from "../../languages/index.ts";
import { ArchivedBar, Bar } from "../../parts/states/bars.tsx";
import { getReferenceName } from "../../queries/reference.ts";
import { getReference, readText } from "./page-parts.ts";

type Props = {
  type: RecordType;
  row: Row;
  /** restores the record from the archive or the trash, if the reader may */
  restore: Action | undefined;
};

/** The record is in the archive or the trash, is part of a group, or belongs to another account. */
export function StateBars({ type, row, restore }: Props) {
  const { account } = useCurrentAccount();
  const group = getReference(row, "grouped_into");
  const foreign = getReference(row, "account");
  return (
    <>
      {(row.archived === true || row.trashed === true) && (
        <ArchivedBar
          state={row.trashed === true ? "trashed" : "archived"}
          at={readText(row, "updated_at")}
          {...(restore === undefined || restore.when === false ? {} : { onRestore: () => void restore.run() })}
        />
      )}
      {group !== null && (
        <Bar
          tone="blue"
          icon={IconStack2}
          action={
            <Link to={paths.record(account.id, type, group.id)} className="bar-action">
              {t("request.groupOpen")}
            </Link>
          }
        >
          {t("request.group", { group: `${group.id} ${getReferenceName(group)}` })}
        </Bar>
      )}
      {foreign !== null && (
        <Bar tone="grey" icon={IconStack2}>
          {t("record.foreign", { account: getReferenceName(foreign) })}
        </Bar>
      )}
    </>
  );
}
