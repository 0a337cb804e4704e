import { TextInput } from "@mantine/core";
import { useState } from "react";
import { Chip } from "../../../elements/chip.tsx";
import { t } from "../../../languages/index.ts";
import { Dialog } from "../../../parts/dialogs/dialog.tsx";
import { type TileName, tiles } from "../standard-tiles.ts";
import type { Tile } from "../tile.ts";
import type { Tiles } from "./tile-choice.ts";

type Props = { chosen: Tiles; onAdd(tile: TileName): void; onClose(): void };

const nameKind = ({ kind }: Tile): string =>
  t(kind === "figure" ? "dashboard.kind.figure" : kind === "list" ? "dashboard.kind.list" : "dashboard.kind.chart");

/** All available charts, with their definitions. */
export default function AddDialog({ chosen, onAdd, onClose }: Props) {
  const [text, setText] = useState("");
  const wanted = text.trim().toLocaleLowerCase();
  const found = (Object.entries(tiles) as [TileName, Tile][]).filter(([, { title, explanation }]) =>
    `${t(title)} ${t(explanation)}`.toLocaleLowerCase().includes(wanted),
  );
  return (
    <Dialog title={t("dashboard.add")} size="lg" onClose={onClose}>
      <TextInput
        aria-label={t("dashboard.searchCharts")}
        placeholder={t("dashboard.searchCharts")}
        value={text}
        data-autofocus
        onChange={(event) => setText(event.currentTarget.value)}
        onKeyDown={(event) => {
          const first = found[0];
          if (event.key !== "Enter" || first === undefined) return;
          event.preventDefault();
          onAdd(first[0]);
        }}
      />
      {found.length === 0 && <p className="quiet">{t("dashboard.noCharts")}</p>}
      <ul className="tile-offers" aria-label={t("dashboard.charts")}>
        {found.map(([name, tile]) => (
          <li key={name}>
            <button type="button" onClick={() => onAdd(name)}>
              <span className="tile-offer-name">{t(tile.title)}</span>
              <Chip tone="grey">{nameKind(tile)}</Chip>
              {chosen.some((each) => each.tile === name) && <Chip tone="outline">{t("dashboard.isThere")}</Chip>}
              <span className="quiet small tile-offer-how">{t(tile.explanation)}</span>
            </button>
          </li>
        ))}
      </ul>
    </Dialog>
  );
}
