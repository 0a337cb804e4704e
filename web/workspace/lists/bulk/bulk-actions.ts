import IconAntennaBars4 from "@tabler/icons-react/dist/esm/icons/IconAntennaBars4.mjs";
import IconCircleDashed from "@tabler/icons-react/dist/esm/icons/IconCircleDashed.mjs";
import IconMessage2 from "@tabler/icons-react/dist/esm/icons/IconMessage2.mjs";
import IconStack2 from "@tabler/icons-react/dist/esm/icons/IconStack2.mjs";
import IconTag from "@tabler/icons-react/dist/esm/icons/IconTag.mjs";
import IconUserCheck from "@tabler/icons-react/dist/esm/icons/IconUserCheck.mjs";
import type { RecordType } from "../../../../records/vocabulary/index.ts";
import type { Action } from "../../../actions/action.ts";
import { t } from "../../../languages/index.ts";
import { fieldLabel } from "../../../languages/labels.ts";
import { isEditable } from "../grid/cell-editor.tsx";

/** The note added to every record isn't a field. */
export const noteChange = "note";
/** Tags are linked by name. */
export const tagChange = "tags";

// biome-ignore format: a table keeps its columns
const frequent = [
  { name: "member",       keys: "m", icon: IconUserCheck },
  { name: "status",       keys: "s", icon: IconCircleDashed },
  { name: "impact",       keys: "p", icon: IconAntennaBars4 },
  { name: tagChange,      keys: undefined, icon: IconTag },
  { name: noteChange,     keys: "i", icon: IconMessage2 },
  { name: "grouped_into", keys: undefined, icon: IconStack2 },
] as const;

function canChange(type: RecordType, name: string): boolean {
  if (name === noteChange) return type.fields.note?.transient === true;
  return name === tagChange ? type.links.tags?.createByName === true : isEditable(type, name);
}

function nameOfAction(name: string): string {
  if (name === "member") return t("bulk.assign");
  if (name === noteChange) return t("bulk.note");
  if (name === tagChange) return t("bulk.tag");
  return name === "grouped_into" ? t("bulk.group") : fieldLabel(name);
}

/** The actions of the bar, also available by key and in the palette. */
export const buildBulkActions = (type: RecordType, count: number, onChange: (name: string) => void): Action[] =>
  frequent
    .filter(({ name }) => canChange(type, name))
    .map(({ name, keys, icon }) => ({
      id: `selection.${name}`,
      name: nameOfAction(name),
      group: "selection",
      keys,
      icon,
      when: count > 0,
      run: () => onChange(name),
    }));
