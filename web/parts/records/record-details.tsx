import { Box, Title } from "@mantine/core";
import type { Field, RecordType } from "../../../records/vocabulary/index.ts";
import type { Row } from "../../api.ts";
import { FieldValue } from "../../fields/field-value.tsx";
import { getFieldKind } from "../../fields/index.ts";
import { t } from "../../languages/index.ts";
import { fieldLabel } from "../../languages/labels.ts";

const systemFields = ["id", "source", "sourceID", "created_at", "updated_at"];

/** All fields of a record that can be seen: first what it says, then what is known about the record itself. */
export function RecordDetails({ type, row }: { type: RecordType; row: Row }) {
  const shown = Object.entries(type.fields).filter(
    ([name, field]) => field.access !== "writeonly" && !field.internal && name !== "disabled" && name in row,
  );
  const own = shown.filter(([name]) => !systemFields.includes(name));
  const system = shown.filter(([name]) => systemFields.includes(name));
  return (
    <>
      <FieldList fields={own} row={row} />
      {system.length > 0 && (
        <>
          <Title order={2} size="h5" mt="xl" mb="xs">
            {t("record.system")}
          </Title>
          <FieldList fields={system} row={row} />
        </>
      )}
    </>
  );
}

function FieldList({ fields, row }: { fields: readonly [string, Field][]; row: Row }) {
  return (
    <Box className="card" px="md" py="xs">
      <dl className="facts">
        {fields.map(([name, field]) => (
          <div key={name} className={getFieldKind(field).wide ? "wide" : ""}>
            <dt>{fieldLabel(name)}</dt>
            <dd>
              <FieldValue name={name} field={field} row={row} />
            </dd>
          </div>
        ))}
      </dl>
    </Box>
  );
}
