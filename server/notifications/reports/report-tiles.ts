import { dashboards, reports } from "../../../records/figures/dashboards.ts";
import { standardTiles, type TileName } from "../../../records/figures/standard-tiles.ts";
import type { Dashboard, Tile } from "../../../records/figures/tile.ts";
import type { FigureTitle } from "../../../records/figures/titles/index.ts";

// The reports that every account can schedule: dashboards and reports, by the last part of their address.

/** The titles of tiles and their series are those that emails know. */
export type ReportTile = Tile<string> & { title: FigureTitle };
/** A tile with its custom settings: title, days, team. */
export type PlacedReportTile = { tile: ReportTile; title?: string; days?: number; team?: number };
export type Report = {
  path: string;
  /** null: a person created it, and it has its own title */
  title: FigureTitle | null;
  ownTitle: string | null;
  tiles: readonly PlacedReportTile[];
  /** only its maker can open it */
  isPrivate: boolean;
};

const list = (folder: string, named: Readonly<Record<string, Dashboard<string>>>): [string, Report][] =>
  Object.entries(named).map(([key, { title, tiles }]) => [
    `${folder}/${key}`,
    {
      path: `/${folder}/${key}`,
      title: title as FigureTitle,
      ownTitle: null,
      tiles: tiles.map(({ tile }) => ({ tile: standardTiles[tile as TileName] as ReportTile })),
      isPrivate: false,
    },
  ]);

const known = new Map([...list("dashboards", dashboards), ...list("reports", reports)]);

export const findReport = (name: string): Report | undefined => known.get(name);
