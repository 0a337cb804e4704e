import { Box, Title } from "@mantine/core";
import type { Field, RecordType } from "../../records/vocabulary/index.ts";
import type { Row } from "../api.ts";
import { kindOf } from "../fields/index.ts";
import { ShowField } from "../fields/show-field.tsx";
import { t } from "../languages/index.ts";
import { fieldLabel } from "../languages/labels.ts";

const aboutTheRecord = ["id", "source", "sourceID", "created_at", "updated_at"];

/** All fields of a record that can be seen: first what it says, then what is known about the record itself. */
export function Facts({ type, row }: { type: RecordType; row: Row }) {
  const shown = Object.entries(type.fields).filter(
    ([name, field]) => field.access !== "writeonly" && !field.internal && name !== "disabled" && name in row,
  );
  const own = shown.filter(([name]) => !aboutTheRecord.includes(name));
  const system = shown.filter(([name]) => aboutTheRecord.includes(name));
  return (
    <>
      <FactList fields={own} row={row} />
      {system.length > 0 && (
        <>
          <Title order={2} size="h5" mt="xl" mb="xs">
            {t("record.system")}
          </Title>
          <FactList fields={system} row={row} />
        </>
      )}
    </>
  );
}

function FactList({ fields, row }: { fields: readonly [string, Field][]; row: Row }) {
  return (
    <Box className="card" px="md" py="xs">
      <dl className="facts">
        {fields.map(([name, field]) => (
          <div key={name} className={kindOf(field).wide ? "wide" : ""}>
            <dt>{fieldLabel(name)}</dt>
            <dd>
              <ShowField name={name} field={field} row={row} />
            </dd>
          </div>
        ))}
      </dl>
    </Box>
  );
}
