import { Badge, Group } from "@mantine/core";
import type { RecordType } from "../../../records/vocabulary/index.ts";
import { useCurrentAccount } from "../../api/current-account.ts";
import type { Row } from "../../api/index.ts";
import { paths } from "../../base/paths.ts";
import { hasList } from "../../base/record-types.ts";
import { Link } from "../../elements/link.tsx";
import { FieldValue } from "../../fields/field-value.tsx";
import { t } from "../../languages/index.ts";

/** The link from a row to its page. */
export function RecordLink({ type, name, row }: { type: RecordType; name: string; row: Row }) {
  const { account } = useCurrentAccount();
  const value = row[name];
  const field = type.fields[name];
  if (field === undefined) return null;
  const plain = (typeof value === "string" && value !== "") || typeof value === "number";
  const linked = plain && hasList(type) && !type.storage.journal;
  return (
    <Group gap={6} component="span" display="inline-flex">
      {linked ? (
        <Link to={paths.record(account.id, type, row.id)}>{String(value)}</Link>
      ) : (
        <FieldValue name={name} field={field} row={row} />
      )}
      {name === type.display && row.disabled === true && (
        <Badge size="xs" variant="default">
          {t("record.disabled")}
        </Badge>
      )}
    </Group>
  );
}
