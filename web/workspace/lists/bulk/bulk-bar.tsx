import { Menu } from "@mantine/core";
import IconAntennaBars4 from "@tabler/icons-react/dist/esm/icons/IconAntennaBars4.mjs";
import IconCircleDashed from "@tabler/icons-react/dist/esm/icons/IconCircleDashed.mjs";
import IconDots from "@tabler/icons-react/dist/esm/icons/IconDots.mjs";
import IconMessage2 from "@tabler/icons-react/dist/esm/icons/IconMessage2.mjs";
import IconStack2 from "@tabler/icons-react/dist/esm/icons/IconStack2.mjs";
import IconTag from "@tabler/icons-react/dist/esm/icons/IconTag.mjs";
import IconUserCheck from "@tabler/icons-react/dist/esm/icons/IconUserCheck.mjs";
import IconX from "@tabler/icons-react/dist/esm/icons/IconX.mjs";
import type { RecordType } from "../../../../records/vocabulary/index.ts";
import type { Action } from "../../../actions/action.ts";
import { t } from "../../../languages/index.ts";
import { fieldLabel } from "../../../languages/labels.ts";
import { Icon } from "../../../parts/icon.tsx";
import { Kbd } from "../../../parts/kbd.tsx";
import { isEditable } from "../grid/cell-editor.tsx";
import type { Selection } from "./selection.ts";

/** The note that every record gets is no field of its own. */
export const noteChange = "note";
/** Tags are linked by their name. */
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

export const listChangeableFields = (type: RecordType): string[] =>
  Object.keys(type.fields).filter((name) => isEditable(type, name));

function nameOfAction(name: string): string {
  if (name === "member") return t("bulk.assign");
  if (name === noteChange) return t("bulk.note");
  if (name === tagChange) return t("bulk.tag");
  return name === "grouped_into" ? t("bulk.group") : fieldLabel(name);
}

/** The actions of the bar, which are those of the keys and of the palette. */
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

type Props = {
  type: RecordType;
  selection: Selection;
  total: number;
  actions: readonly Action[];
  onChange(name: string): void;
};

export function BulkBar({ type, selection, total, actions, onChange }: Props) {
  const shown = new Set(actions.map(({ id }) => id.replace("selection.", "")));
  const others = listChangeableFields(type).filter((name) => !shown.has(name));
  return (
    <section className="list-bulk" aria-label={t("bulk.bar")}>
      <strong role="status">{t("bulk.selected", { count: selection.count })}</strong>
      {!selection.all && selection.count < total && (
        <button type="button" className="list-bulk-link" onClick={selection.selectAll}>
          {t("bulk.selectAll", { count: total })}
        </button>
      )}
      <span className="list-bulk-line" aria-hidden="true" />
      {actions.map((action) => (
        <button key={action.id} type="button" className="list-bulk-action" onClick={() => void action.run()}>
          {action.icon !== undefined && <Icon of={action.icon} />}
          <span>{action.name}</span>
          {action.keys !== undefined && <Kbd keys={action.keys} />}
        </button>
      ))}
      {others.length > 0 && (
        <Menu position="top" shadow="md" width={240}>
          <Menu.Target>
            <button type="button" className="list-bulk-action" aria-label={t("bulk.more")}>
              <Icon of={IconDots} />
            </button>
          </Menu.Target>
          <Menu.Dropdown className="list-menu">
            <div className="list-menu-scroll">
              {others.map((name) => (
                <Menu.Item key={name} onClick={() => onChange(name)}>
                  {fieldLabel(name)}
                </Menu.Item>
              ))}
            </div>
          </Menu.Dropdown>
        </Menu>
      )}
      <span className="list-bulk-line" aria-hidden="true" />
      <button type="button" className="list-bulk-action" onClick={selection.clear}>
        <Icon of={IconX} />
        <span className="spoken">{t("bulk.clear")}</span>
        <Kbd keys="escape" />
      </button>
    </section>
  );
}
