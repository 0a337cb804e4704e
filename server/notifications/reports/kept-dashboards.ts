import { standardTiles, type TileName } from "../../../records/figures/standard-tiles.ts";
import { jsonStatement, queryFirst } from "../../database/rows.ts";
import { findReport, type PlacedReportTile, type Report, type ReportTile } from "./report-tiles.ts";

// Dashboards that people have changed or made, as a mail has them. The interface keeps them (D-560); what is not known in
// them is left out, because an older or a newer page may have kept it.

type KeptRow = { owner: string; value: string };

const folder = "dashboards/";
const maxNameLength = 220;
const maxTitleLength = 80;
const mostTiles = 12;
const ranges = [7, 14, 30, 90];

/** A person's own version takes precedence over a team's, and that over the account's. */
export const buildKeptDashboardQuery = (columns: string, account: string, person: string, key: string): string =>
  `SELECT ${columns} FROM kept_items k WHERE k.account_id = ${account} AND k.kind = 'dashboard' AND k.key = ${key}
  AND (k.owner = 'me ' || ${person} OR k.owner = 'account' OR k.team_id IN (SELECT t.id FROM teams t WHERE t.account_id = ${account}
    AND (t.manager_id = ${person} OR t.coordinator_id = ${person} OR EXISTS (SELECT 1 FROM team_members m WHERE m.team_id = t.id AND m.person_id = ${person}))))
  ORDER BY CASE WHEN k.person_id IS NOT NULL THEN 0 WHEN k.team_id IS NOT NULL THEN 1 ELSE 2 END, k.updated_at DESC, k.owner LIMIT 1`;

const selectKept = jsonStatement<KeptRow>(buildKeptDashboardQuery("k.owner, k.value", "$1", "$2::integer", "$3"));

/** The report of a name as a person sees it; null: there is none. */
export async function loadReport(
  database: Parameters<typeof queryFirst>[0],
  account: string,
  person: number,
  name: string,
): Promise<Report | null> {
  const standard = findReport(name);
  if (!name.startsWith(folder) || name.length > maxNameLength) return standard ?? null;
  const key = name.slice(folder.length);
  const kept = await queryFirst(database, selectKept, [account, person, key]);
  if (kept === null) return standard ?? null;
  const value = parseObject(kept.value);
  return {
    path: `/${folder}${encodeURIComponent(key)}`,
    title: standard?.title ?? null,
    ownTitle: parseTitle(value.title),
    tiles: parseTiles(value.tiles),
    isPrivate: standard === undefined && kept.owner.startsWith("me "),
  };
}

/** The custom name of a dashboard, from its kept item. */
export const readKeptTitle = (value: string | null): string | null =>
  value === null ? null : parseTitle(parseObject(value).title);

function parseObject(text: string): Readonly<Record<string, unknown>> {
  const value: unknown = JSON.parse(text);
  return isObject(value) ? value : {};
}

const isObject = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === "object" && value !== null && !Array.isArray(value);

/** One line: it becomes the subject of a mail. */
function parseTitle(value: unknown): string | null {
  if (typeof value !== "string") return null;
  const line = value.replace(/[\p{Cc}\p{Zl}\p{Zp}]+/gu, " ").trim();
  return line === "" ? null : line.slice(0, maxTitleLength);
}

const isTeam = (value: unknown): value is number =>
  Number.isInteger(value) && (value as number) > 0 && (value as number) < 2 ** 31;

function parseTiles(value: unknown): PlacedReportTile[] {
  const found: PlacedReportTile[] = [];
  for (const each of Array.isArray(value) ? value : []) {
    if (!isObject(each) || typeof each.tile !== "string" || !Object.hasOwn(standardTiles, each.tile)) continue;
    if (found.length >= mostTiles) break;
    const title = parseTitle(each.title);
    const days = ranges.find((range) => String(range) === each.range);
    found.push({
      tile: standardTiles[each.tile as TileName] as ReportTile,
      ...(title === null ? {} : { title }),
      ...(days === undefined ? {} : { days }),
      ...(isTeam(each.team) ? { team: each.team } : {}),
    });
  }
  return found;
}
