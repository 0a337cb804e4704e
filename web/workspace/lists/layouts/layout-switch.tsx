import IconCalendar from "@tabler/icons-react/dist/esm/icons/IconCalendar.mjs";
import IconLayoutKanban from "@tabler/icons-react/dist/esm/icons/IconLayoutKanban.mjs";
import IconList from "@tabler/icons-react/dist/esm/icons/IconList.mjs";
import type { RecordType } from "../../../../records/vocabulary/index.ts";
import { useActions } from "../../../actions/registry.ts";
import { Icon, type IconComponent } from "../../../elements/icon.tsx";
import { tip } from "../../../elements/tip.tsx";
import { t } from "../../../languages/index.ts";
import { canLayOut, type Layout, layouts } from "./layouts.ts";

const icons: Readonly<Record<Layout, IconComponent>> = {
  table: IconList,
  board: IconLayoutKanban,
  calendar: IconCalendar,
};

type Props = { type: RecordType; layout: Layout; onChange(layout: Layout): void };

/** Table, board, calendar; renders nothing if a type can only be a table. */
export function LayoutSwitch({ type, layout, onChange }: Props) {
  const offered = layouts.filter((each) => canLayOut(type, each));
  useActions(
    offered.map((each) => ({
      id: `list.layout.${each}`,
      name: t(`layout.${each}`),
      group: "list",
      icon: icons[each],
      when: each !== layout,
      words: t("layout.choose"),
      run: () => onChange(each),
    })),
  );
  if (offered.length < 2) return null;
  return (
    // biome-ignore lint/a11y/useSemanticElements: a fieldset can't be laid out as a row in every browser
    <div role="group" className="layout-switch" aria-label={t("layout.choose")}>
      {offered.map((each) => (
        <button
          key={each}
          type="button"
          aria-pressed={each === layout}
          aria-label={t(`layout.${each}`)}
          {...tip(t(`layout.${each}`))}
          onClick={() => onChange(each)}
        >
          <Icon of={icons[each]} />
        </button>
      ))}
    </div>
  );
}
