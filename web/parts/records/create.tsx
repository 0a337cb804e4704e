import { Box } from "@mantine/core";
import { useQueryClient } from "@tanstack/react-query";
import { useSearch } from "@tanstack/react-router";
import { useEffect, useRef, useState } from "react";
import type { RecordType } from "../../../records/vocabulary/index.ts";
import { useCurrentAccount } from "../../api/current-account.ts";
import { navigateTo } from "../../base/history.ts";
import { paths } from "../../base/paths.ts";
import { useDraft } from "../../drafts/use-draft.ts";
import { showMessage } from "../../elements/toast.tsx";
import { t } from "../../languages/index.ts";
import { collectionLabel, lowerFirst, typeLabel } from "../../languages/labels.ts";
import { accountQueries } from "../../queries/account.ts";
import { readInitialValues, type Values } from "../forms/form-values.ts";
import { LeaveGuard } from "../forms/leave-guard.tsx";
import { buildFormKey, RecordForm } from "../forms/record-form.tsx";
import { PageHeader } from "../page-header.tsx";
import { findOneTimeSecrets, hasOneTimeSecrets, OneTimeSecrets } from "./one-time-secrets.tsx";

export function CreateScreen({ type }: { type: RecordType }) {
  const { account, api, may } = useCurrentAccount();
  const queries = useQueryClient();
  const dirty = useRef(false);
  const draft = useDraft(buildFormKey(type));
  const list = paths.list(account.id, type);
  const search: Record<string, unknown> = useSearch({ strict: false });
  const [initialValues] = useState(() => readInitialValues(type, search));
  /** the number of records created in this form, one after the other */
  const [createdCount, setCreatedCount] = useState(0);
  const form = useRef<HTMLDivElement>(null);
  const [revealed, setRevealed] = useState<{ secrets: [string, string][]; next: string } | null>(null);
  useEffect(() => {
    if (createdCount > 0) form.current?.querySelector<HTMLElement>("input:not([type=hidden]), textarea")?.focus();
  }, [createdCount]);
  const create = async (values: Values) => {
    const created = await api.create(`/${type.collection}`, values);
    dirty.current = false;
    showMessage(t("record.created", { type: typeLabel(type) }));
    void queries.invalidateQueries({ queryKey: accountQueries.all(api) });
    return created;
  };
  return (
    <div>
      <PageHeader
        title={t("form.new", { type: lowerFirst(typeLabel(type)) })}
        trail={[{ label: collectionLabel(type), path: list }]}
      />
      <Box className="card" p={{ base: "md", sm: "lg" }} ref={form}>
        <RecordForm
          key={createdCount}
          type={type}
          initialValues={initialValues}
          dirty={dirty}
          onCancel={() => navigateTo(list)}
          onSave={async (values) => {
            const created = await create(values);
            // Some people may create records that they can't read, for example survey responses.
            const next = may("read", type) ? paths.record(account.id, type, created.id) : paths.home(account.id);
            const secrets = findOneTimeSecrets(type, created);
            if (secrets.length > 0) setRevealed({ secrets, next });
            else navigateTo(next, true);
          }}
          {...(hasOneTimeSecrets(type)
            ? {}
            : {
                onSaveAndNext: async (values: Values) => {
                  await create(values);
                  setCreatedCount((count) => count + 1);
                },
              })}
        />
      </Box>
      {revealed !== null && (
        <OneTimeSecrets secrets={revealed.secrets} onClose={() => navigateTo(revealed.next, true)} />
      )}
      <LeaveGuard dirty={dirty} onLeave={draft.remove} />
    </div>
  );
}
