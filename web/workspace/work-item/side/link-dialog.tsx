import { useDebouncedValue } from "@mantine/hooks";
import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import type { RecordType } from "../../../../records/vocabulary/index.ts";
import { useCurrentAccount } from "../../../api/current-account.ts";
import type { Row } from "../../../api/index.ts";
import { isNumbered } from "../../../base/record-types.ts";
import { showError, showUndo } from "../../../elements/toast.tsx";
import { Select } from "../../../fields/pickers/select.tsx";
import { t } from "../../../languages/index.ts";
import { Dialog } from "../../../parts/dialogs/dialog.tsx";
import { useSave } from "../../../parts/save/use-save.ts";
import { pagePath, useRefreshRecord } from "../../../queries/record-page.ts";
import { linkQueries } from "../../../queries/work/links.ts";
import type { Linkable } from "./linkable.ts";

type Props = { type: RecordType; row: Row; linkable: Linkable; title: string; onClose(): void };

/** Records of a type by name; without words the first ones. */
function useFound(to: RecordType, text: string) {
  const { api } = useCurrentAccount();
  const [search] = useDebouncedValue(text.trim(), 150);
  const hasWords = to.searchable.length > 0;
  const { data, isFetching } = useQuery(linkQueries.linkable(api, to, hasWords ? search : null));
  return { rows: data?.rows ?? [], isLoading: isFetching || (hasWords && search !== text.trim()) };
}

export default function LinkDialog({ type, row, linkable: { name, by, to }, title, onClose }: Props) {
  const { api } = useCurrentAccount();
  const refresh = useRefreshRecord(type, String(row.id));
  const save = useSave(type, String(row.id));
  const [seen] = useState(row);
  const [text, setText] = useState("");
  const found = useFound(to, text);
  const options = found.rows
    .filter((each) => to.name !== type.name || each.id !== row.id)
    .map((each) => {
      const words = [to.name === "ci" ? each.label : each[to.display], to.name === "ci" ? each.name : null];
      const label = words.filter((part) => typeof part === "string" && part !== "").join(" · ");
      return { value: String(each.id), label: isNumbered(to) ? `${each.id} ${label}` : label };
    });
  const choose = async (id: string | null) => {
    const chosen = options.find(({ value }) => value === id);
    if (id === null || chosen === undefined) return;
    onClose();
    const path = `${pagePath(type, row.id)}/${name}`;
    const message = t("request.linkedOne");
    try {
      if (by === "reference") {
        await save({ [name]: { id: Number(id), name: chosen.label } }, { message, seen });
        return;
      }
      const created = by === "watch" ? await api.create(path, { person_id: Number(id) }) : null;
      if (created === null) await api.act(`${path}/${id}`);
      await refresh();
      showUndo(message, async () => {
        await api.remove(`${path}/${created?.id ?? id}`);
        await refresh();
      });
    } catch (error) {
      showError(error);
    }
  };
  return (
    <Dialog title={t("request.linkType", { type: title })} onClose={onClose}>
      <div className="link-room">
        <Select
          data-autofocus
          label={title}
          placeholder={t("form.search")}
          searchable
          value={null}
          data={options}
          maxDropdownHeight={320}
          {...(to.searchable.length > 0 ? { filter: ({ options: all }) => all } : {})}
          isLoading={found.isLoading}
          onSearchChange={setText}
          onChange={(id) => void choose(id)}
        />
      </div>
    </Dialog>
  );
}
