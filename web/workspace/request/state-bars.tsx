import IconStack2 from "@tabler/icons-react/dist/esm/icons/IconStack2.mjs";
import type { RecordType } from "../../../records/vocabulary/index.ts";
import type { Row } from "../../api.ts";
import { useCurrentAccount } from "../../current-account.ts";
import { t } from "../../languages/index.ts";
import { Link } from "../../parts/link.tsx";
import { ArchivedBar, Bar } from "../../parts/states/bars.tsx";
import { paths } from "../../paths.ts";
import { getReferenceName } from "../../queries/reference.ts";
import { referenceOf, textOf } from "./page-parts.ts";

/** Archived, part of a group, of another account. */
export function StateBars({
  type,
  row,
  onRestore,
}: {
  type: RecordType;
  row: Row;
  onRestore?: (() => void) | undefined;
}) {
  const { account } = useCurrentAccount();
  const group = referenceOf(row, "grouped_into");
  const foreign = row.account as { name: string } | undefined;
  return (
    <>
      {(row.archived === true || row.trashed === true) && (
        <ArchivedBar
          state={row.trashed === true ? "trashed" : "archived"}
          at={textOf(row, "updated_at")}
          {...(onRestore === undefined ? {} : { onRestore })}
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
      {foreign !== undefined && (
        <Bar tone="grey" icon={IconStack2}>
          {t("record.foreign", { account: foreign.name })}
        </Bar>
      )}
    </>
  );
}
