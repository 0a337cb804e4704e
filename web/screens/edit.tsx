import { Box } from "@mantine/core";
import { useQueryClient } from "@tanstack/react-query";
import { useRef, useState } from "react";
import type { RecordType } from "../../records/vocabulary/index.ts";
import { go } from "../history.ts";
import { t } from "../languages/index.ts";
import { collectionLabel } from "../languages/labels.ts";
import { LeaveGuard } from "../parts/leave-guard.tsx";
import { PageHeader } from "../parts/page-header.tsx";
import { Problem } from "../parts/problem.tsx";
import { RecordForm } from "../parts/record-form.tsx";
import { Revealed, revealedIn } from "../parts/revealed.tsx";
import { say } from "../parts/toast.ts";
import { Waiting } from "../parts/waiting.tsx";
import { paths } from "../paths.ts";
import { useRecord } from "../queries.ts";
import { useHere } from "../session.ts";

export function EditScreen({ type, id }: { type: RecordType; id: string }) {
  const { account, api } = useHere();
  const queries = useQueryClient();
  const dirty = useRef(false);
  const [secrets, setSecrets] = useState<[string, string][]>([]);
  const { data: row, error, refetch } = useRecord(type, id);
  if (error !== null) return <Problem error={error} retry={() => void refetch()} />;
  if (row === undefined) return <Waiting rows={10} />;
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
          onCancel={() => go(page)}
          onSave={async (values) => {
            const differs = Object.keys(values).length > 0;
            const saved = differs ? await api.change(`/${type.collection}/${row.id}`, values) : row;
            dirty.current = false;
            say(t(differs ? "record.saved" : "form.nothingChanged"));
            await queries.invalidateQueries({ queryKey: [account.id] });
            const shown = revealedIn(type, saved);
            if (shown.length > 0) setSecrets(shown);
            else go(page, true);
          }}
        />
      </Box>
      {secrets.length > 0 && <Revealed secrets={secrets} onClose={() => go(page, true)} />}
      <LeaveGuard dirty={dirty} />
    </div>
  );
}
