import { Box, Button, Stack, Table, Text } from "@mantine/core";
import type { RecordType } from "../../../records/vocabulary/index.ts";
import { formatDateTime } from "../../base/formats.ts";
import { FieldValue } from "../../fields/field-value.tsx";
import { ReferenceLink } from "../../fields/references/reference.tsx";
import { isMessage, t } from "../../languages/index.ts";
import { fieldLabel } from "../../languages/labels.ts";
import { type AuditEntry, useAudit } from "../../queries/parts/audit.ts";
import {
  collectIds,
  collectMentioned,
  getTargetType,
  nameOfKey,
  type RecordNames,
  useRecordNames,
} from "../../queries/record-names.ts";
import type { Reference } from "../../queries/reference.ts";
import { EmptyState } from "../empty-state.tsx";
import { ErrorMessage } from "../error-message.tsx";
import { LoadingSkeleton } from "../loading-skeleton.tsx";
import { pickActor } from "./audit-actor.ts";
import { describeOrigin } from "./change-origin.ts";

/** The changes of a record with their authors, newest first. */
export function AuditTrail({ type, path }: { type: RecordType; path: string }) {
  const { data, error, hasNextPage, fetchNextPage, isFetchingNextPage } = useAudit(path);
  if (error !== null) return <ErrorMessage error={error} />;
  if (data === undefined) return <LoadingSkeleton rows={5} />;
  const entries = data.pages.flatMap((page) => page.rows);
  if (entries.length === 0) return <EmptyState title={t("request.empty.changes")} />;
  return (
    <Stack gap="sm">
      <EntryList type={type} entries={entries} />
      {hasNextPage && (
        <Button variant="default" loading={isFetchingNextPage} onClick={() => void fetchNextPage()}>
          {t("audit.older")}
        </Button>
      )}
    </Stack>
  );
}

function EntryList({ type, entries }: { type: RecordType; entries: readonly AuditEntry[] }) {
  const changed = entries.flatMap(({ changes }) =>
    Object.entries(changes ?? {}).map(([name, values]) => [type, name, values] as const),
  );
  const names = useRecordNames(collectMentioned(changed));
  return entries.map((entry) => <EntryCard key={entry.id} type={type} entry={entry} names={names} />);
}

type CardProps = { type: RecordType; entry: AuditEntry; names: RecordNames };

function EntryCard({ type, entry, names }: CardProps) {
  const actor = pickActor(entry);
  const changes = Object.entries(entry.changes ?? {}).filter(
    ([name, [before, after]]) => (before !== null || after !== null) && name !== actor.shownField,
  );
  const action = `audit.${entry.action}`;
  return (
    <Box className="card" p="md">
      <Text size="sm">
        <b>{actor.name}</b> {isMessage(action) ? t(action) : entry.action} ·{" "}
        <time dateTime={entry.created_at}>{formatDateTime(entry.created_at)}</time>
        {entry.origin !== null && ` · ${describeOrigin(entry.origin, { hidesName: actor.icon !== null })}`}
      </Text>
      {changes.length > 0 && (
        <Table mt="xs" layout="fixed" verticalSpacing={4} fz="sm">
          <Table.Thead>
            <Table.Tr>
              <Table.Th>{t("audit.field")}</Table.Th>
              <Table.Th>{t("audit.before")}</Table.Th>
              <Table.Th>{t("audit.after")}</Table.Th>
            </Table.Tr>
          </Table.Thead>
          <Table.Tbody>
            {changes.map(([name, values]) => (
              <Table.Tr key={name}>
                <Table.Td>{fieldLabel(name.replace(/_id$/, ""))}</Table.Td>
                {values.map((value, index) => (
                  // biome-ignore lint/suspicious/noArrayIndexKey: before and after
                  <Table.Td key={index} className="wrap">
                    <ChangedValue type={type} name={name} value={value} id={entry.id} names={names} />
                  </Table.Td>
                ))}
              </Table.Tr>
            ))}
          </Table.Tbody>
        </Table>
      )}
    </Box>
  );
}

type ChangedProps = { type: RecordType; name: string; value: unknown; id: number; names: RecordNames };

/** A value in the format of its field; values that fit no field are shown unformatted. */
export function ChangedValue({ type, name, value, id, names }: ChangedProps) {
  const target = getTargetType(type, name);
  const field = type.fields[name];
  const ids = collectIds(value);
  if (target !== undefined && ids.length > 0) {
    const known = (each: number): Reference => ({ id: each, name: nameOfKey(names, target, each) });
    return ids.map((each) => (
      <div key={each}>
        <ReferenceLink to={target} value={known(each)} />
      </div>
    ));
  }
  if (field !== undefined && (target === undefined || field.kind === "code"))
    return <FieldValue name={name} field={field} row={{ id, [name]: value }} />;
  if (value === null || value === undefined) return t("value.none");
  return typeof value === "object" ? JSON.stringify(value) : String(value);
}
