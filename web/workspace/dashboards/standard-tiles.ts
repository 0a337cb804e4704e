import { standardTiles, type TileName } from "../../../records/figures/standard-tiles.ts";
import type { Tile } from "./tile.ts";

export type { TileName };
export const tiles: Readonly<Record<TileName, Tile>> = standardTiles;
