import type * as figures from "../../../records/figures/tile.ts";
import type { MessageKey } from "../../languages/index.ts";

// Tiles for rendering: their texts are messages of the interface.

export type { Format, PlacedTile, Source } from "../../../records/figures/tile.ts";
export type FigureTile = figures.FigureTile<MessageKey>;
export type ChartTile = figures.ChartTile<MessageKey>;
export type ListTile = figures.ListTile<MessageKey>;
export type Tile = figures.Tile<MessageKey>;
export type Dashboard = figures.Dashboard<MessageKey>;
