import { ActionIcon, Box, Button, Group } from "@mantine/core";
import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import type { ChildVerb, RecordType } from "../../../records/vocabulary/index.ts";
import { useCurrentAccount } from "../../api/current-account.ts";
import type { Row } from "../../api/index.ts";
import { getType } from "../../base/record-types.ts";
import { AddIcon, DeleteIcon, EditIcon } from "../../elements/icons.tsx";
import { showError } from "../../elements/toast.tsx";
import { t } from "../../languages/index.ts";
import { collectionLabel, lowerFirst, typeLabel } from "../../languages/labels.ts";
import { accountQueries } from "../../queries/account.ts";
import { useList } from "../../queries/index.ts";
import { childQueries } from "../../queries/parts/children.ts";
import { ConfirmDialog } from "../dialogs/confirm-dialog.tsx";
import { Dialog } from "../dialogs/dialog.tsx";
import { EmptyState } from "../empty-state.tsx";
import { ErrorMessage } from "../error-message.tsx";
import { RecordForm } from "../forms/record-form.tsx";
import { RecordTable } from "../lists/record-table.tsx";
import { LoadingSkeleton } from "../loading-skeleton.tsx";

// Records owned by this one: created, changed and deleted here, with the permissions on their owner.

type Props = { path: string; of: string; writable: boolean; allows?: readonly ChildVerb[] | undefined };

export function ChildRecords({ path, of, writable, allows }: Props) {
  const may = (verb: ChildVerb) => writable && (allows === undefined || allows.includes(verb));
  const { api } = useCurrentAccount();
  const type = getType(of);
  const queries = useQueryClient();
  const { data, error } = useList(path, { per_page: "100" });
  const [form, setForm] = useState<Row | "new" | null>(null);
  const [doomed, setDoomed] = useState<Row | null>(null);
  const refresh = () => queries.invalidateQueries({ queryKey: accountQueries.all(api) });
  const remove = useMutation({
    mutationFn: (row: Row) => api.remove(`${path}/${row.id}`),
    onSuccess: refresh,
    onError: showError,
    onSettled: () => setDoomed(null),
  });
  if (error !== null) return <ErrorMessage error={error} />;
  if (data === undefined) return <LoadingSkeleton rows={3} />;
  const nameOf = (row: Row) => String(row[type.display] ?? row.id);
  const actions = (row: Row) => (
    <Group gap={4} wrap="nowrap" justify="flex-end">
      {may("update") && (
        <ActionIcon variant="subtle" aria-label={t("tab.editName", { name: nameOf(row) })} onClick={() => setForm(row)}>
          <EditIcon size={16} />
        </ActionIcon>
      )}
      {may("delete") && (
        <ActionIcon
          variant="subtle"
          color="red.9"
          aria-label={t("tab.deleteName", { name: nameOf(row) })}
          onClick={() => setDoomed(row)}
        >
          <DeleteIcon size={16} />
        </ActionIcon>
      )}
    </Group>
  );
  const edited = form === "new" || form === null ? undefined : form;
  return (
    <>
      {may("create") && (
        <Button variant="default" leftSection={<AddIcon size={16} />} onClick={() => setForm("new")} mb="sm">
          {t("list.new", { type: lowerFirst(typeLabel(type)) })}
        </Button>
      )}
      <Box className="card">
        {data.rows.length === 0 ? (
          <EmptyState title={t("list.empty", { types: lowerFirst(collectionLabel(type)) })} />
        ) : (
          <RecordTable
            type={type}
            columns={type.defaultFields.filter((name) => name !== "id")}
            rows={data.rows}
            label={collectionLabel(type)}
            {...(may("update") || may("delete") ? { actions } : {})}
          />
        )}
      </Box>
      {form !== null && (
        <Dialog
          onClose={() => setForm(null)}
          size="lg"
          title={
            edited === undefined
              ? t("form.new", { type: lowerFirst(typeLabel(type)) })
              : t("form.edit", { name: nameOf(edited) })
          }
        >
          <ChildForm
            type={type}
            path={path}
            id={edited?.id}
            onDone={() => refresh().then(() => setForm(null))}
            onCancel={() => setForm(null)}
          />
        </Dialog>
      )}
      {doomed !== null && (
        <ConfirmDialog
          title={t("record.confirm", { action: t("record.delete"), name: nameOf(doomed) })}
          lead={t("record.confirm.delete")}
          action={t("record.delete")}
          busy={remove.isPending}
          onConfirm={() => remove.mutate(doomed)}
          onClose={() => setDoomed(null)}
        />
      )}
    </>
  );
}

type FormProps = { type: RecordType; path: string; id: number | undefined; onDone(): void; onCancel(): void };

/** A list row has only some of the fields, so the whole child is loaded before it is edited. */
function ChildForm({ type, path, id, onDone, onCancel }: FormProps) {
  const { api } = useCurrentAccount();
  const { data: row, error } = useQuery({
    ...childQueries.one(api, path, id),
    enabled: id !== undefined,
  });
  if (error !== null) return <ErrorMessage error={error} />;
  if (id !== undefined && row === undefined) return <LoadingSkeleton rows={4} />;
  return (
    <RecordForm
      type={type}
      row={row}
      draftKey={`form${path}/${id ?? "new"}`}
      onCancel={onCancel}
      onSave={async (values) => {
        if (id === undefined) await api.create(path, values);
        else await api.change(`${path}/${id}`, values);
        onDone();
      }}
    />
  );
}
