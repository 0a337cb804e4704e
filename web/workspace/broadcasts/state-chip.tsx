import IconBroadcast from "@tabler/icons-react/dist/esm/icons/IconBroadcast.mjs";
import IconCalendarTime from "@tabler/icons-react/dist/esm/icons/IconCalendarTime.mjs";
import IconCircleMinus from "@tabler/icons-react/dist/esm/icons/IconCircleMinus.mjs";
import type { Row } from "../../api/index.ts";
import { formatAhead } from "../../base/moments.ts";
import { Chip } from "../../elements/chip.tsx";
import { t } from "../../languages/index.ts";
import { useNow } from "../../parts/now.ts";
import { getState } from "./broadcast-form.ts";

/** Planned, active or ended, with the time. */
export function StateChip({ row }: { row: Row }) {
  const now = useNow();
  const when = (name: string) => formatAhead(Date.parse(String(row[name])), now);
  switch (getState(row, now)) {
    case "planned":
      return (
        <Chip tone="violet" icon={IconCalendarTime}>
          {t("broadcasts.planned", { when: when("start_at") })}
        </Chip>
      );
    case "shown":
      return (
        <Chip tone="red" icon={IconBroadcast}>
          {t("broadcasts.liveSince", { when: when("start_at") })}
        </Chip>
      );
    case "over":
      return (
        <Chip tone="grey" icon={IconCircleMinus}>
          {typeof row.end_at === "string" && Date.parse(row.end_at) <= now
            ? t("broadcasts.overSince", { when: when("end_at") })
            : t("broadcasts.over")}
        </Chip>
      );
  }
}
