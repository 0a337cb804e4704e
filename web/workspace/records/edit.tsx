import { Box } from "@mantine/core";
import { useQueryClient } from "@tanstack/react-query";
import { useRef, useState } from "react";
import type { RecordType } from "../../../records/vocabulary/index.ts";
import { useCurrentAccount } from "../../api/current-account.ts";
import { navigateTo } from "../../base/history.ts";
import { paths } from "../../base/paths.ts";
import { useDraft } from "../../drafts/use-draft.ts";
import { showMessage } from "../../elements/toast.tsx";
import { t } from "../../languages/index.ts";
import { collectionLabel } from "../../languages/labels.ts";
import { ErrorMessage } from "../../parts/error-message.tsx";
import { LeaveGuard } from "../../parts/forms/leave-guard.tsx";
import { buildFormKey, RecordForm } from "../../parts/forms/record-form.tsx";
import { LoadingSkeleton } from "../../parts/loading-skeleton.tsx";
import { PageHeader } from "../../parts/page-header.tsx";
import { findOneTimeSecrets, OneTimeSecrets } from "../../parts/records/one-time-secrets.tsx";
import { accountQueries } from "../../queries/account.ts";
import { useRecord } from "../../queries/index.ts";

export function EditScreen({ type, id }: { type: RecordType; id: string }) {
  const { account, api } = useCurrentAccount();
  const queries = useQueryClient();
  const dirty = useRef(false);
  const draft = useDraft(buildFormKey(type, { id: Number(id) }));
  const [secrets, setSecrets] = useState<[string, string][]>([]);
  const { data: row, error, refetch } = useRecord(type, id);
  if (error !== null) return <ErrorMessage error={error} retry={() => void refetch()} />;
  if (row === undefined) return <LoadingSkeleton rows={10} />;
  const page = paths.record(account.id, type, row.id);
  const name = String(row[type.display] ?? row.id);
  return (
    <div>
      <PageHeader
        title={t("form.edit", { name })}
        trail={[
          { label: collectionLabel(type), path: paths.list(account.id, type) },
          { label: name, path: page },
        ]}
      />
      <Box className="card" p={{ base: "md", sm: "lg" }}>
        <RecordForm
          type={type}
          row={row}
          dirty={dirty}
          onCancel={() => navigateTo(page)}
          onSave={async (values) => {
            const differs = Object.keys(values).length > 0;
            const saved = differs ? await api.change(`/${type.collection}/${row.id}`, values) : row;
            dirty.current = false;
            showMessage(t(differs ? "record.saved" : "form.nothingChanged"));
            await queries.invalidateQueries({ queryKey: accountQueries.all(api) });
            const shown = findOneTimeSecrets(type, saved);
            if (shown.length > 0) setSecrets(shown);
            else navigateTo(page, true);
          }}
        />
      </Box>
      {secrets.length > 0 && <OneTimeSecrets secrets={secrets} onClose={() => navigateTo(page, true)} />}
      <LeaveGuard dirty={dirty} onLeave={draft.remove} />
    </div>
  );
}
