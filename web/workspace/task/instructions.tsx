import { Checkbox } from "@mantine/core";
import IconPencil from "@tabler/icons-react/dist/esm/icons/IconPencil.mjs";
import { useState } from "react";
import { useCurrentAccount } from "../../api/current-account.ts";
import { Icon } from "../../elements/icon.tsx";
import { showError } from "../../elements/toast.tsx";
import { t } from "../../languages/index.ts";
import { fieldLabel } from "../../languages/labels.ts";
import { Markup } from "../../parts/markup/markup.tsx";
import { useSave } from "../../parts/save/use-save.ts";
import { TextBlock } from "../work-item/blocks/text-block.tsx";
import { readText } from "../work-item/page-parts.ts";
import type { PanelProps } from "../work-item/panels/panel-props.ts";
import { readInstructions } from "./checklist.ts";
import "../../styles/workflow.css";

/** The task's instructions and its checklist. */
export default function TaskInstructions({ type, row }: PanelProps) {
  const { may } = useCurrentAccount();
  const save = useSave(type, String(row.id));
  const [editing, setEditing] = useState(false);
  const whole = readText(row, "instructions");
  const { text, items } = readInstructions(whole);
  const checked = Array.isArray(row.checked_items) ? row.checked_items.map(String) : [];
  const mayChange = may("update", type);
  if (whole === "") return null;
  if (editing) return <TextBlock type={type} row={row} name="instructions" locked={!mayChange} />;
  const check = (item: string, isDone: boolean) => {
    const others = checked.filter((name) => name !== item);
    save({ checked_items: isDone ? [...others, item] : others }).catch(showError);
  };
  const done = items.filter((item) => checked.includes(item)).length;
  return (
    <>
      {text !== "" && (
        <section className="text-block plain-block" aria-label={fieldLabel("instructions")}>
          <div className="text-block-head">
            <h2>{fieldLabel("instructions")}</h2>
            {mayChange && (
              <button type="button" className="text-button" onClick={() => setEditing(true)}>
                <Icon of={IconPencil} size={14} /> {t("record.edit")}
              </button>
            )}
          </div>
          <Markup text={text} />
        </section>
      )}
      {items.length > 0 && (
        <section className="text-block plain-block checklist" aria-label={t("task.checklist")}>
          <div className="text-block-head">
            <h2>
              {t("task.checklist")}{" "}
              <span className="quiet numbers">{t("task.checked", { done, count: items.length })}</span>
            </h2>
          </div>
          {items.map((item) => (
            <div key={item} data-done={checked.includes(item) || undefined}>
              <Checkbox
                size="sm"
                label={item}
                checked={checked.includes(item)}
                disabled={!mayChange}
                onChange={(event) => check(item, event.currentTarget.checked)}
              />
            </div>
          ))}
        </section>
      )}
    </>
  );
}
