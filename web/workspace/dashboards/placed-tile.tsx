import { t } from "../../languages/index.ts";
import { ChartTile } from "./chart-tile.tsx";
import { EditFrame, type TileCommands } from "./edit/edit-frame.tsx";
import type { TileChoice } from "./edit/tile-choice.ts";
import { FigureTile } from "./figure-tile.tsx";
import { ListTile } from "./list-tile.tsx";
import type { Team } from "./page-choice.tsx";
import { buildRange, type Choice } from "./range.ts";
import { tiles } from "./standard-tiles.ts";
import type { Tile } from "./tile.ts";

type Props = {
  placed: TileChoice;
  /** the page's choice */
  choice: Choice;
  teams: readonly Team[];
  now: number;
  isTable: boolean;
  rangeLabel: string;
  commands: TileCommands | null;
  place: number;
  count: number;
  pathOf(collection: string, query: string | null): string | null;
};

/** The tile's name, including its own range and team if it has them. */
export const nameTile = (placed: TileChoice, teams: readonly Team[]): string =>
  [
    placed.title ?? t(tiles[placed.tile].title),
    ...(placed.team === undefined ? [] : [teams.find(({ id }) => id === placed.team)?.name ?? `#${placed.team}`]),
    ...(placed.range === undefined ? [] : [t("dashboard.lastDays", { count: Number(placed.range) })]),
  ].join(" · ");

export function PlacedTile(props: Props) {
  const { placed, teams, now, isTable, rangeLabel, commands, place, count, pathOf } = props;
  const definition: Tile = tiles[placed.tile];
  const title = nameTile(placed, teams);
  const choice: Choice = {
    range: placed.range === undefined ? props.choice.range : buildRange(placed.range, now),
    team: placed.team === undefined ? props.choice.team : String(placed.team),
  };
  return (
    <EditFrame choice={placed} title={title} commands={commands} place={place} count={count}>
      {definition.kind === "figure" ? (
        <FigureTile tile={definition} title={title} choice={choice} pathOf={pathOf} />
      ) : (
        <section className="tile" aria-label={title} data-kind={definition.kind}>
          {definition.kind === "list" ? (
            <ListTile tile={definition} title={title} choice={choice} />
          ) : (
            <ChartTile
              tile={placed.form === undefined ? definition : { ...definition, kind: placed.form }}
              title={title}
              choice={choice}
              isTable={isTable}
              rangeLabel={rangeLabel}
              pathOf={pathOf}
            />
          )}
        </section>
      )}
    </EditFrame>
  );
}
