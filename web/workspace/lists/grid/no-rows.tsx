import { Button } from "@mantine/core";
import IconListSearch from "@tabler/icons-react/dist/esm/icons/IconListSearch.mjs";
import type { RecordType } from "../../../../records/vocabulary/index.ts";
import { t } from "../../../languages/index.ts";
import { typePurpose } from "../../../languages/page-labels.ts";
import { EmptyState } from "../../../parts/empty-state.tsx";

type Props = { type: RecordType; narrowed: boolean; types: string; onRemoveLast(): void };

export function NoRows({ type, narrowed, types, onRemoveLast }: Props) {
  return (
    <EmptyState
      icon={IconListSearch}
      title={t(narrowed ? "list.noMatch" : "list.empty", { types })}
      lead={narrowed ? t("list.noMatchLead") : typePurpose(type)}
    >
      {narrowed && (
        <Button variant="default" onClick={onRemoveLast}>
          {t("list.removeLastFilter")}
        </Button>
      )}
    </EmptyState>
  );
}
