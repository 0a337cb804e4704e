import IconTag from "@tabler/icons-react/dist/esm/icons/IconTag.mjs";
import { Suspense } from "react";
import type { RecordType } from "../../../../records/vocabulary/index.ts";
import { useCurrentAccount } from "../../../api/current-account.ts";
import type { Row } from "../../../api/index.ts";
import { Chip } from "../../../elements/chip.tsx";
import { lazyPart } from "../../../elements/lazy-part.tsx";
import { showError } from "../../../elements/toast.tsx";
import { fieldLabel } from "../../../languages/labels.ts";
import { PropertyRow } from "../../../parts/property-row.tsx";
import { pagePath, useRefreshRecord, useSettled, useSubList } from "../../../queries/record-page.ts";

const TagPicker = lazyPart(async () => (await import("../../../parts/tag-picker.tsx")).default);

type Props = {
  type: RecordType;
  row: Row;
  locked: boolean;
  /** shown although it is empty, because the person wants to add the first tag */
  isAdded: boolean;
  editing: boolean;
  onEditing(editing: boolean): void;
};

/** The tags of a record: each is linked or unlinked as soon as it is added or removed. */
export function Tags({ type, row, locked, isAdded, editing, onEditing }: Props) {
  const { api } = useCurrentAccount();
  const refresh = useRefreshRecord(type, String(row.id));
  const late = useSettled("late");
  const list = useSubList(type, String(row.id), "tags", { fields: "name", per_page: "100" }, late || isAdded);
  const tags = (list.data?.rows ?? []).map(({ id, name }) => ({ id, name: String(name) }));
  if (tags.length === 0 && !isAdded && !editing) return null;
  const path = `${pagePath(type, row.id)}/tags`;
  const change = async (wanted: readonly string[]) => {
    const has = (names: readonly string[], name: string) =>
      names.some((each) => each.toLowerCase() === name.toLowerCase());
    const names = tags.map(({ name }) => name);
    try {
      for (const name of wanted) if (!has(names, name)) await api.create(path, { name });
      for (const { id, name } of tags) if (!has(wanted, name)) await api.remove(`${path}/${id}`);
    } catch (error) {
      showError(error);
    }
    await refresh();
  };
  return (
    <PropertyRow
      label={fieldLabel("tags")}
      editing={editing}
      onEditing={onEditing}
      edit={
        locked
          ? undefined
          : () => (
              <Suspense>
                <TagPicker
                  size="xs"
                  label={fieldLabel("tags")}
                  isLabelHidden
                  value={tags.map(({ name }) => name)}
                  onChange={(wanted) => void change(wanted)}
                />
              </Suspense>
            )
      }
    >
      <span className="tag-chips">
        {tags.map(({ id, name }) => (
          <Chip key={id} tone="teal" icon={IconTag}>
            {name}
          </Chip>
        ))}
        {tags.length === 0 && "…"}
      </span>
    </PropertyRow>
  );
}
