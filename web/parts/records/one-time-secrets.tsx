import { Button, Group, Stack, Text } from "@mantine/core";
import type { Field, RecordType } from "../../../records/vocabulary/index.ts";
import type { Row } from "../../api/index.ts";
import { t } from "../../languages/index.ts";
import { fieldLabel } from "../../languages/labels.ts";
import { Dialog } from "../dialogs/dialog.tsx";
import { Secret } from "../forms/secret.tsx";

const isOneTimeSecret = ({ transient, access }: Field): boolean => transient === true && access === "readonly";

/** Whether the response to creating a record contains values that aren't stored. */
export const hasOneTimeSecrets = (type: RecordType): boolean => Object.values(type.fields).some(isOneTimeSecret);

/** Values shown only once: fields that aren't stored and that callers can't write. */
export const findOneTimeSecrets = (type: RecordType, row: Row): [string, string][] =>
  Object.entries(type.fields).flatMap(([name, field]): [string, string][] =>
    isOneTimeSecret(field) && typeof row[name] === "string" ? [[name, row[name]]] : [],
  );

export function OneTimeSecrets({ secrets, onClose }: { secrets: readonly [string, string][]; onClose(): void }) {
  return (
    <Dialog title={t("revealed.title")} size="lg" loose={false} onClose={onClose}>
      <Stack>
        <Text>{t("revealed.lead")}</Text>
        {secrets.map(([name, value]) => (
          <Secret key={name} name={fieldLabel(name)} value={value} />
        ))}
        <Group justify="flex-end">
          <Button onClick={onClose}>{t("tokens.done")}</Button>
        </Group>
      </Stack>
    </Dialog>
  );
}
