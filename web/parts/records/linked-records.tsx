import { ActionIcon, Box, Button, Group } from "@mantine/core";
import { useMutation, useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { useCurrentAccount } from "../../api/current-account.ts";
import type { Row } from "../../api/index.ts";
import { getType, isCreatable } from "../../base/record-types.ts";
import { AddIcon, CloseIcon } from "../../elements/icons.tsx";
import { showError } from "../../elements/toast.tsx";
import { ReferencePicker } from "../../fields/pickers/reference-picker.tsx";
import { t } from "../../languages/index.ts";
import { collectionLabel, lowerFirst, typeLabel } from "../../languages/labels.ts";
import { accountQueries } from "../../queries/account.ts";
import type { Reference } from "../../queries/reference.ts";
import { Dialog } from "../dialogs/dialog.tsx";
import { RecordForm } from "../forms/record-form.tsx";
import { RelatedList } from "./related-list.tsx";

/** Records of another type linked to this one: listed, added by name, removed. */
export function LinkedRecords({ path, to, writable }: { path: string; to: string; writable: boolean }) {
  const { api, may } = useCurrentAccount();
  const queries = useQueryClient();
  const type = getType(to);
  const [choosing, setChoosing] = useState(false);
  const [isNew, setIsNew] = useState(false);
  const [chosen, setChosen] = useState<Reference | null>(null);
  const close = () => {
    setChoosing(false);
    setIsNew(false);
    setChosen(null);
  };
  const options = {
    onSuccess: () => queries.invalidateQueries({ queryKey: accountQueries.all(api) }),
    onError: showError,
    onSettled: close,
  };
  const link = useMutation({ mutationFn: (id: number | string) => api.act(`${path}/${id}`), ...options });
  const unlink = useMutation({ mutationFn: (row: Row) => api.remove(`${path}/${row.id}`), ...options });
  return (
    <>
      {writable && (
        <Button variant="default" leftSection={<AddIcon size={16} />} mb="sm" onClick={() => setChoosing(true)}>
          {t("tab.add")}
        </Button>
      )}
      <Box>
        <RelatedList
          path={path}
          of={to}
          label={collectionLabel(type)}
          {...(writable
            ? {
                actions: (row: Row) => (
                  <ActionIcon
                    variant="subtle"
                    color="red.9"
                    aria-label={t("tab.unlinkName", { name: String(row[type.display]) })}
                    loading={unlink.isPending && unlink.variables?.id === row.id}
                    onClick={() => unlink.mutate(row)}
                  >
                    <CloseIcon size={16} />
                  </ActionIcon>
                ),
              }
            : {})}
        />
      </Box>
      {choosing && !isNew && (
        <Dialog onClose={close} title={t("tab.choose", { type: lowerFirst(typeLabel(type)) })}>
          <ReferencePicker aria-label={typeLabel(type)} to={to} value={chosen} onChange={setChosen} />
          <Group justify="flex-end" mt="lg">
            {isCreatable(type) && may("create", type) && (
              <Button variant="subtle" me="auto" onClick={() => setIsNew(true)}>
                {t("list.new", { type: lowerFirst(typeLabel(type)) })}
              </Button>
            )}
            <Button variant="default" onClick={close}>
              {t("form.cancel")}
            </Button>
            <Button
              disabled={chosen === null}
              loading={link.isPending}
              onClick={() => chosen && link.mutate(chosen.id)}
            >
              {t("tab.add")}
            </Button>
          </Group>
        </Dialog>
      )}
      {choosing && isNew && (
        <Dialog onClose={close} size="lg" title={t("form.new", { type: lowerFirst(typeLabel(type)) })}>
          <RecordForm
            type={type}
            onCancel={close}
            onSave={async (values) => {
              const { id } = await api.create(`/${type.collection}`, values);
              await link.mutateAsync(id).catch(() => {}); // the record exists: the error is shown, and the record can be linked from the list
            }}
          />
        </Dialog>
      )}
    </>
  );
}
