import { Menu } from "@mantine/core";
import IconDots from "@tabler/icons-react/dist/esm/icons/IconDots.mjs";
import IconX from "@tabler/icons-react/dist/esm/icons/IconX.mjs";
import type { RecordType } from "../../../../records/vocabulary/index.ts";
import type { Action } from "../../../actions/action.ts";
import { Icon } from "../../../elements/icon.tsx";
import { Kbd } from "../../../elements/kbd.tsx";
import { t } from "../../../languages/index.ts";
import { fieldLabel } from "../../../languages/labels.ts";
import { type Total, toCount } from "../../../queries/total.ts";
import { isEditable } from "../grid/cell-editor.tsx";
import type { Selection } from "./selection.ts";

const listChangeableFields = (type: RecordType): string[] =>
  Object.keys(type.fields).filter((name) => isEditable(type, name));

type Props = {
  type: RecordType;
  selection: Selection;
  total: Total;
  actions: readonly Action[];
  onChange(name: string): void;
};

export function BulkBar({ type, selection, total, actions, onChange }: Props) {
  const shown = new Set(actions.map(({ id }) => id.replace("selection.", "")));
  const others = listChangeableFields(type).filter((name) => !shown.has(name));
  return (
    <section className="list-bulk" aria-label={t("bulk.bar")}>
      <strong role="status">{t("bulk.selected", { count: selection.shownCount })}</strong>
      {!selection.all && selection.count < total.total && (
        <button type="button" className="list-bulk-link" onClick={selection.selectAll}>
          {t(total.isTotalOld ? "bulk.selectAllAbout" : "bulk.selectAll", { count: toCount(total) })}
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
