import { dashboards, reports } from "../../../records/figures/dashboards.ts";
import { standardTiles, type TileName } from "../../../records/figures/standard-tiles.ts";
import type { Dashboard, Tile } from "../../../records/figures/tile.ts";
import type { FigureTitle } from "../../../records/figures/titles/index.ts";

// What can be scheduled: dashboards and reports, by the last part of their address.

/** The titles of tiles and their series are those that mails know. */
export type ReportTile = Tile<string> & { title: FigureTitle };
export type Report = { path: string; title: FigureTitle; tiles: readonly ReportTile[] };

const list = (folder: string, named: Readonly<Record<string, Dashboard<string>>>): [string, Report][] =>
  Object.entries(named).map(([key, { title, tiles }]) => [
    `${folder}/${key}`,
    {
      path: `/${folder}/${key}`,
      title: title as FigureTitle,
      tiles: tiles.map(({ tile }) => standardTiles[tile as TileName] as ReportTile),
    },
  ]);

const known = new Map([...list("dashboards", dashboards), ...list("reports", reports)]);

export const reportNames: readonly string[] = [...known.keys()];
export const findReport = (name: string): Report | undefined => known.get(name);
