import { TextInput } from "@mantine/core";
import IconSearch from "@tabler/icons-react/dist/esm/icons/IconSearch.mjs";
import IconZoomCancel from "@tabler/icons-react/dist/esm/icons/IconZoomCancel.mjs";
import { type FormEvent, useState } from "react";
import type { RecordType } from "../../../records/vocabulary/index.ts";
import { useCurrentAccount } from "../../api/current-account.ts";
import { navigateTo } from "../../base/history.ts";
import { paths } from "../../base/paths.ts";
import { Icon } from "../../elements/icon.tsx";
import { t } from "../../languages/index.ts";
import { lowerFirst, typeLabel } from "../../languages/labels.ts";
import { EmptyState } from "../empty-state.tsx";

/** The record doesn't exist: a search box with the id filled in. */
export function NotFound({ type, id = "" }: { type?: RecordType; id?: string }) {
  const { account } = useCurrentAccount();
  const [text, setText] = useState(id);
  const search = (event: FormEvent) => {
    event.preventDefault();
    if (text.trim() !== "") navigateTo(paths.search(account.id, text.trim()));
  };
  const title =
    type === undefined || id === ""
      ? t("states.notFound")
      : t("states.notFoundRecord", { type: lowerFirst(typeLabel(type)), id });
  return (
    <EmptyState icon={IconZoomCancel} title={title} lead={t("states.notFoundLead")} level={1}>
      <search>
        <form onSubmit={search}>
          <TextInput
            type="search"
            value={text}
            onChange={(event) => setText(event.currentTarget.value)}
            aria-label={t("search.label")}
            leftSection={<Icon of={IconSearch} />}
          />
        </form>
      </search>
    </EmptyState>
  );
}
