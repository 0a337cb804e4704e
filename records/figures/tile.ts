// The query and the form of a tile. A tile is data: standard-tiles.ts lists the existing ones, dashboards.ts groups them
// into dashboards. All figures come from GET /<collection>/summary, so each opens the list that it counts. `Text` is the type of
// a text's name.

/** A question to the API. The chosen range and team are added to its filters. */
export type Source = {
  collection: string;
  filters?: Readonly<Record<string, string>>;
  /** the date or time that the chosen range confines; without it, the question is about now */
  within?: string;
  by?: string;
  /** a second field to group by, for a matrix */
  thenBy?: string;
  /** groups by periods: of the chosen range, or by age */
  periods?: "range" | "age";
  measure?: string;
  /** the enumeration whose labels the groups have */
  enumeration?: string;
  /** its records belong to no team, so the choice of a team does not concern it */
  ofNoTeam?: true;
};

export type Format = "number" | "percent" | "minutes";

type Common<Text> = { title: Text /** how it is counted */; explanation: Text };

export type FigureTile<Text> = Common<Text> & {
  kind: "figure";
  source: Source;
  format: Format;
  /** whether more is better, which decides the color of a change */
  better: "more" | "less";
  /** below the figure, with `count`: of the records behind it, or of another question */
  note: Text;
  noteSource?: Source;
  /** what changes a stock: records that came and that left within the range */
  flow?: readonly [came: Source, left: Source];
};

export type ChartTile<Text> = Common<Text> & {
  kind: "columns" | "bars" | "shares" | "donut" | "matrix";
  /** several for columns of several colors */
  sources: readonly (Source & { label?: Text })[];
  format: Format;
  /** the part that is bad, for shares: more of it is red */
  isBad?: true;
};

export type ListTile<Text> = Common<Text> & {
  kind: "list";
  collection: string;
  filters: Readonly<Record<string, string>>;
  within?: string;
  ofNoTeam?: true;
  sort: string;
  /** the moment since which a record is late */
  late?: string;
};

export type Tile<Text> = FigureTile<Text> | ChartTile<Text> | ListTile<Text>;
/** `width`: of 24 columns; figures have a separate row */
export type PlacedTile = { tile: string; width?: number };
export type Dashboard<Text> = { title: Text; lead: Text; tiles: readonly PlacedTile[] };
