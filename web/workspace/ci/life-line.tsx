import type { Row } from "../../api.ts";
import { currentLocale, t } from "../../languages/index.ts";
import { choiceLabel } from "../../languages/labels.ts";
import { formatExact } from "../../moments.ts";
import { useList } from "../../queries/index.ts";

// What became of an item: its registration and every change of its status, newest first.

type Line = Row & { created_at: string; changes?: Record<string, [before: unknown, after: unknown]> };

const maxShown = 8;

export function LifeLine({ id }: { id: number }) {
  const { data } = useList(`/cis/${id}/audit`, { per_page: "100" });
  const steps = ((data?.rows ?? []) as Line[]).flatMap(({ id: line, created_at, changes }) => {
    const status = changes?.status?.[1];
    return typeof status === "string" ? [{ line, at: Date.parse(created_at), status }] : [];
  });
  if (steps.length === 0) return null;
  const format = new Intl.DateTimeFormat(currentLocale(), { month: "short", year: "numeric" });
  return (
    <section className="ci-side-group" aria-labelledby="ci-life">
      <h2 id="ci-life" className="ci-life-title">
        {t("ci.life")}
      </h2>
      <ol className="ci-life">
        {steps.slice(0, maxShown).map(({ line, at, status }) => (
          <li key={line}>
            <time dateTime={new Date(at).toISOString()} title={formatExact(at)}>
              {format.format(at)}
            </time>
            {choiceLabel("ci.status", status)}
          </li>
        ))}
      </ol>
    </section>
  );
}
