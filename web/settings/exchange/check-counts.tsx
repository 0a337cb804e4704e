import IconAlertCircle from "@tabler/icons-react/dist/esm/icons/IconAlertCircle.mjs";
import IconClock from "@tabler/icons-react/dist/esm/icons/IconClock.mjs";
import IconEqual from "@tabler/icons-react/dist/esm/icons/IconEqual.mjs";
import IconPencil from "@tabler/icons-react/dist/esm/icons/IconPencil.mjs";
import IconPlus from "@tabler/icons-react/dist/esm/icons/IconPlus.mjs";
import type { ImportSummary } from "../../api/exchange.ts";
import { formatNumber } from "../../base/formats.ts";
import { Icon } from "../../elements/icon.tsx";
import { t } from "../../languages/index.ts";
import { formatSeconds } from "./labels.ts";

/** The number of rows by result. */
export function CheckCounts({ entry }: { entry: ImportSummary }) {
  const { results, seconds, dry_run } = entry;
  const tiles = [
    { key: "new", icon: IconPlus, tone: "green", value: formatNumber(results.created) },
    { key: "changed", icon: IconPencil, tone: "blue", value: formatNumber(results.updated) },
    { key: "same", icon: IconEqual, tone: "grey", value: formatNumber(results.unchanged) },
    {
      key: dry_run ? "refused" : "left",
      icon: IconAlertCircle,
      tone: "red",
      value: formatNumber(results.failures + results.errors),
    },
    ...(seconds === null
      ? []
      : [
          { key: dry_run ? "expected" : "took", icon: IconClock, tone: "grey", value: formatSeconds(seconds) } as const,
        ]),
  ] as const;
  return (
    <ul className="check-counts">
      {tiles.map(({ key, icon, tone, value }) => (
        <li key={key}>
          <span data-tone={tone}>
            <Icon of={icon} />
          </span>
          <b className="numbers">{value}</b> <span>{t(`exchange.count.${key}`)}</span>
        </li>
      ))}
    </ul>
  );
}
