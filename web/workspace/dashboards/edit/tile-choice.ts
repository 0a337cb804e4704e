import { type RangeName, ranges } from "../range.ts";
import { type TileName, tiles } from "../standard-tiles.ts";
import type { ChartTile, PlacedTile, Tile } from "../tile.ts";

// The tiles of a customized dashboard, in order. All functions here are pure.

export type ChartForm = ChartTile["kind"];
export type TileChoice = {
  /** unique on the page: the same chart may occur twice, for two teams */
  id: string;
  tile: TileName;
  /** of 24 columns; figures are in a row of their own */
  width?: number;
  /** replaces the name of the tile */
  title?: string;
  form?: ChartForm;
  /** overrides the page's choice */
  range?: RangeName;
  team?: number;
};
export type TileChange = Partial<Pick<TileChoice, "title" | "form" | "range" | "team">>;

export const mostTiles = 12;
const [leastWidth, mostWidth, usualWidth] = [6, 24, 12];
export const maxTitleLength = 80;

export const isFigure = ({ tile }: Pick<TileChoice, "tile">): boolean => tiles[tile].kind === "figure";

const clampWidth = (width: number): number => Math.min(mostWidth, Math.max(leastWidth, Math.round(width)));

export const chooseStandard = (placed: readonly PlacedTile[]): TileChoice[] =>
  placed.flatMap(({ tile, width }) =>
    isTileName(tile) ? [{ id: tile, tile, ...(width === undefined ? {} : { width }) }] : [],
  );

/** The forms that a tile can have: those that show the same numbers. */
export function listForms(tile: Tile): readonly ("bars" | "donut" | "shares")[] {
  if (tile.kind !== "bars" && tile.kind !== "donut" && tile.kind !== "shares") return [];
  if (tile.format === "number") return ["bars", "donut"];
  return tile.format === "percent" ? ["shares", "bars"] : [];
}

const isTileName = (name: unknown): name is TileName => typeof name === "string" && Object.hasOwn(tiles, name);
const isObject = (value: unknown): value is Record<string, unknown> => typeof value === "object" && value !== null;

/** Parses stored tiles, which may come from an older or a newer version: unknown ones are left out. */
export function parseTiles(value: unknown): TileChoice[] {
  if (!Array.isArray(value)) return [];
  const found = new Map<string, TileChoice>();
  for (const each of value) {
    if (!isObject(each) || found.size >= mostTiles) continue;
    const { id, tile, width, title, team } = each;
    if (typeof id !== "string" || !isTileName(tile)) continue;
    const form = listForms(tiles[tile]).find((name) => name === each.form);
    const range = ranges.find((name) => name === each.range);
    found.set(id, {
      id,
      tile,
      ...(typeof width === "number" && Number.isFinite(width) ? { width: clampWidth(width) } : {}),
      ...(typeof title === "string" && title !== "" ? { title: title.slice(0, maxTitleLength) } : {}),
      ...(form === undefined ? {} : { form }),
      ...(range === undefined ? {} : { range }),
      ...(typeof team === "number" && Number.isSafeInteger(team) ? { team } : {}),
    });
  }
  return [...found.values()];
}

export type Tiles = readonly TileChoice[];

/** The tiles among which one can be moved: figures among figures, charts among charts. */
export const listBeside = (list: Tiles, choice: TileChoice): Tiles =>
  list.filter((each) => isFigure(each) === isFigure(choice));

/** Before or after another tile of the same row or grid. */
export function placeTile(list: Tiles, id: string, other: string, after: boolean): Tiles {
  const [moved, target] = [list.find((each) => each.id === id), list.find((each) => each.id === other)];
  if (moved === undefined || target === undefined || id === other || isFigure(moved) !== isFigure(target)) return list;
  const rest = list.filter((each) => each.id !== id);
  const at = rest.indexOf(target) + (after ? 1 : 0);
  return [...rest.slice(0, at), moved, ...rest.slice(at)];
}

export function moveTile(list: Tiles, id: string, step: -1 | 1): Tiles {
  const moved = list.find((each) => each.id === id);
  if (moved === undefined) return list;
  const beside = listBeside(list, moved);
  const other = beside[beside.indexOf(moved) + step];
  return other === undefined ? list : placeTile(list, id, other.id, step > 0);
}

export const resizeTile = (list: Tiles, id: string, width: number): Tiles =>
  list.map((each) => (each.id === id && !isFigure(each) ? { ...each, width: clampWidth(width) } : each));

export const getWidth = ({ width }: Pick<TileChoice, "width">): number => width ?? usualWidth;

export const removeTile = (list: Tiles, id: string): Tiles => list.filter((each) => each.id !== id);

export function addTile(list: Tiles, tile: TileName): { list: Tiles; id: string } {
  let id: string = tile;
  for (let count = 2; list.some((each) => each.id === id); count++) id = `${tile}-${count}`;
  if (list.length >= mostTiles) return { list, id };
  return { list: [...list, { id, tile, ...(isFigure({ tile }) ? {} : { width: usualWidth }) }], id };
}

/** `undefined` removes a setting. */
export const changeTile = (
  list: Tiles,
  id: string,
  change: { [Key in keyof TileChange]: TileChange[Key] | undefined },
): Tiles =>
  list.map((each) => {
    if (each.id !== id) return each;
    const { title, form, range, team } = { ...each, ...change };
    return {
      ...{ id, tile: each.tile },
      ...(each.width === undefined ? {} : { width: each.width }),
      ...(title === undefined || title === "" ? {} : { title }),
      ...(form === undefined ? {} : { form }),
      ...(range === undefined ? {} : { range }),
      ...(team === undefined ? {} : { team }),
    };
  });
