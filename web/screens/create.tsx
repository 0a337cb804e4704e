import { Box } from "@mantine/core";
import { useQueryClient } from "@tanstack/react-query";
import { useRef, useState } from "react";
import type { RecordType } from "../../records/vocabulary/index.ts";
import { go } from "../history.ts";
import { t } from "../languages/index.ts";
import { collectionLabel, lowered, typeLabel } from "../languages/labels.ts";
import { LeaveGuard } from "../parts/leave-guard.tsx";
import { PageHeader } from "../parts/page-header.tsx";
import { RecordForm } from "../parts/record-form.tsx";
import { Revealed, revealedIn } from "../parts/revealed.tsx";
import { say } from "../parts/toast.ts";
import { paths } from "../paths.ts";
import { useHere } from "../session.ts";

export function CreateScreen({ type }: { type: RecordType }) {
  const { account, api, may } = useHere();
  const queries = useQueryClient();
  const dirty = useRef(false);
  const list = paths.list(account.id, type);
  const [revealed, setRevealed] = useState<{ secrets: [string, string][]; next: string } | null>(null);
  return (
    <div>
      <PageHeader
        title={t("form.new", { type: lowered(typeLabel(type)) })}
        trail={[{ label: collectionLabel(type), path: list }]}
      />
      <Box className="card" p={{ base: "md", sm: "lg" }}>
        <RecordForm
          type={type}
          dirty={dirty}
          onCancel={() => go(list)}
          onSave={async (values) => {
            const created = await api.create(`/${type.collection}`, values);
            dirty.current = false;
            say(t("record.created", { type: typeLabel(type) }));
            void queries.invalidateQueries({ queryKey: [account.id] });
            // Some may add what they may not read: a survey response is one.
            const next = may("read", type) ? paths.record(account.id, type, created.id) : paths.home(account.id);
            const secrets = revealedIn(type, created);
            if (secrets.length > 0) setRevealed({ secrets, next });
            else go(next, true);
          }}
        />
      </Box>
      {revealed !== null && <Revealed secrets={revealed.secrets} onClose={() => go(revealed.next, true)} />}
      <LeaveGuard dirty={dirty} />
    </div>
  );
}
