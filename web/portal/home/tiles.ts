import IconCalendarEvent from "@tabler/icons-react/dist/esm/icons/IconCalendarEvent.mjs";
import IconDeviceLaptop from "@tabler/icons-react/dist/esm/icons/IconDeviceLaptop.mjs";
import IconDotsCircleHorizontal from "@tabler/icons-react/dist/esm/icons/IconDotsCircleHorizontal.mjs";
import IconExclamationCircle from "@tabler/icons-react/dist/esm/icons/IconExclamationCircle.mjs";
import IconKey from "@tabler/icons-react/dist/esm/icons/IconKey.mjs";
import IconUserPlus from "@tabler/icons-react/dist/esm/icons/IconUserPlus.mjs";
import type { PortalHome } from "../../../records/answers/portal.ts";
import type { PortalTemplate } from "../../../records/answers/portal-forms.ts";
import type { IconComponent } from "../../elements/icon.tsx";
import type { Word } from "../words.ts";

// The catalog in plain language: by need, not by service name. Templates are assigned to a tile by their purpose and
// category, so that a new template needs no setting.

export type TileKey = "broken" | "access" | "equipment" | "people" | "booking" | "else";
export type Tile = { key: TileKey; title: Word; lead: Word; tone: string; icon: IconComponent };

// biome-ignore format: a table keeps its columns
export const tiles: readonly Tile[] = [
  { key: "broken",    title: "tile.broken",    lead: "tile.brokenLead",    tone: "red",    icon: IconExclamationCircle },
  { key: "access",    title: "tile.access",    lead: "tile.accessLead",    tone: "blue",   icon: IconKey },
  { key: "equipment", title: "tile.equipment", lead: "tile.equipmentLead", tone: "teal",   icon: IconDeviceLaptop },
  { key: "people",    title: "tile.people",    lead: "tile.peopleLead",    tone: "violet", icon: IconUserPlus },
  { key: "booking",   title: "tile.booking",   lead: "tile.bookingLead",   tone: "green",  icon: IconCalendarEvent },
  { key: "else",      title: "tile.else",      lead: "tile.elseLead",      tone: "grey",   icon: IconDotsCircleHorizontal },
];

const byAction: Readonly<Record<string, TileKey>> = {
  access: "access",
  onboarding: "people",
  offboarding: "people",
  procurement: "equipment",
  installation: "equipment",
  replacement: "equipment",
  upgrade: "equipment",
  scheduling: "booking",
};

export function pickTile({ category, action_type }: PortalTemplate): TileKey {
  const chosen = byAction[action_type ?? ""];
  if (category === "incident") return "broken";
  if (category === "reservation") return "booking";
  return chosen ?? "else";
}

/** The tiles with content; "broken" and "else" are always shown. */
export function shownTiles(
  { templates, offers }: Pick<PortalHome, "templates" | "offers">,
  order: readonly string[] = [],
): readonly Tile[] {
  const always: readonly TileKey[] = [
    "broken",
    "else",
    ...(offers.reservations > 0 ? ["booking" as const] : []),
    ...(offers.shop > 0 ? ["equipment" as const] : []),
  ];
  const place = ({ key }: Tile) => (order.includes(key) ? order.indexOf(key) : order.length);
  return tiles
    .filter(({ key }) => always.includes(key) || templates.some((each) => pickTile(each) === key))
    .sort((one, other) => place(one) - place(other));
}
