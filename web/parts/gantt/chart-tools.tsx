import { Button } from "@mantine/core";
import { Select } from "../../fields/pickers/select.tsx";
import { t } from "../../languages/index.ts";
import { type GanttScale, ganttScales } from "./item.ts";

type Props = { scale: GanttScale; onScale(scale: GanttScale): void; onToday(): void };

/** Sets the width of days, and returns to the present. */
export function ChartTools({ scale, onScale, onToday }: Props) {
  return (
    <span className="gantt-tools">
      <Select
        size="xs"
        w={96}
        aria-label={t("gantt.scale")}
        allowDeselect={false}
        data={ganttScales.map((each) => ({ value: each, label: t(`gantt.scale.${each}`) }))}
        value={scale}
        onChange={(wanted) => onScale(ganttScales.find((each) => each === wanted) ?? scale)}
      />
      <Button variant="default" size="xs" className="gantt-today" onClick={onToday}>
        {t("gantt.today")}
      </Button>
    </span>
  );
}
