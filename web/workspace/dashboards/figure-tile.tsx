import { Link } from "../../elements/link.tsx";
import { t } from "../../languages/index.ts";
import { ErrorPanel } from "../../parts/states/error-panel.tsx";
import type { Summary } from "../../queries/dashboards.ts";
import { formatFigure, formatValue, readStart } from "./chart-data.ts";
import { Sparkline } from "./charts/sparkline.tsx";
import { buildRangeBefore, buildSummaryQuery, type Choice, listPeriods } from "./range.ts";
import { type Question, useSummaries } from "./summary.ts";
import type { FigureTile as Figure } from "./tile.ts";

const readValues = (summary: Summary | undefined, by: string | undefined, choice: Choice): (number | null)[] => {
  const found = new Map((summary?.groups ?? []).map((group) => [readStart(group, by ?? ""), group.value]));
  return listPeriods(choice.range).map((day) => found.get(day) ?? null);
};

/** A stock figure is its current value; earlier values are calculated back from arrivals and departures. */
function countBack(now: number, came: readonly (number | null)[], left: readonly (number | null)[]): number[] {
  let value = now;
  const values = [now];
  for (let at = came.length - 1; at > 0; at--) {
    value += (left[at] ?? 0) - (came[at] ?? 0);
    values.unshift(value);
  }
  return values;
}

type Props = {
  tile: Figure;
  title: string;
  choice: Choice;
  pathOf(collection: string, query: string | null): string | null;
};

/** One number, its change since the previous range, and its trend. */
export function FigureTile({ tile, title, choice, pathOf }: Props) {
  const { source, flow, noteSource, format } = tile;
  const before = { ...choice, range: buildRangeBefore(choice.range) };
  const buildQuestion = (from: typeof source, within = choice, isGrouped = true): Question => ({
    collection: from.collection,
    query: buildSummaryQuery(from, within, isGrouped),
  });
  const questions = [
    buildQuestion(source),
    ...(flow === undefined ? [buildQuestion(source, before, false)] : flow.map((each) => buildQuestion(each))),
    ...(noteSource === undefined ? [] : [buildQuestion(noteSource)]),
  ];
  const { summaries, error, refetch } = useSummaries(questions);
  if (error !== null)
    return (
      <section className="tile tile-figure" aria-label={title}>
        <ErrorPanel error={error} title={title} retry={refetch} />
      </section>
    );
  const [now, second, third] = summaries ?? [];
  const value = now?.total.value ?? null;
  const course =
    flow === undefined
      ? readValues(now, source.by, choice)
      : countBack(value ?? 0, readValues(second, flow[0].by, choice), readValues(third, flow[1].by, choice));
  const earlier = flow === undefined ? (second?.total.value ?? null) : (course[0] ?? null);
  const change = value === null || earlier === null ? null : value - earlier;
  const isBetter = change !== null && (tile.better === "more" ? change > 0 : change < 0);
  const tone = change === null || formatChange(change, format) === null ? "grey" : isBetter ? "green" : "red";
  const noted = noteSource === undefined ? now?.total : summaries?.at(-1)?.total;
  const path = pathOf(source.collection, now?.total.query ?? null);
  const notePath = noteSource === undefined ? null : pathOf(noteSource.collection, noted?.query ?? null);
  return (
    <section className="tile tile-figure" aria-label={title} title={t(tile.explanation)}>
      <h2 className="tile-title">{title}</h2>
      <div className="tile-figure-line">
        {summaries === null ? (
          <span className="tile-waiting" />
        ) : path === null ? (
          <span className="tile-number numbers">{formatFigure(value, format)}</span>
        ) : (
          <Link to={path} className="tile-number numbers">
            {formatFigure(value, format)}
          </Link>
        )}
        {change !== null && formatChange(change, format) !== null && (
          <span className="tile-change numbers" data-tone={tone}>
            <span className="spoken">{t("dashboard.sinceBefore")} </span>
            {formatChange(change, format)}
          </span>
        )}
        <Sparkline
          values={course}
          tone={tile.kind === "figure" && flow !== undefined ? "blue" : tone === "red" ? "red" : "green"}
        />
      </div>
      <p className="tile-note">
        {noted === undefined ? (
          "\u00a0"
        ) : notePath === null ? (
          t(tile.note, { count: noted.count })
        ) : (
          <Link to={notePath}>{t(tile.note, { count: noted.count })}</Link>
        )}
      </p>
    </section>
  );
}

/** With its sign; null if it is too small to be shown. */
function formatChange(change: number, format: Figure["format"]): string | null {
  const sign = change > 0 ? "+" : "−";
  const size = Math.abs(change);
  if (format === "percent") {
    const points = Math.round(size * 1000) / 10;
    return points === 0 ? null : `${sign}${formatValue(points, "number")}`;
  }
  if (format === "minutes" && size >= 60) return `${sign}${t("time.h", { hours: Math.round(size / 60) })}`;
  return Math.round(size) === 0 ? null : `${sign}${formatFigure(Math.round(size), format)}`;
}
