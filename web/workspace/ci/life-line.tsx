import { useQuery } from "@tanstack/react-query";
import { useCurrentAccount } from "../../api/current-account.ts";
import { formatExact } from "../../base/moments.ts";
import { currentLocale, t } from "../../languages/index.ts";
import { choiceLabel } from "../../languages/labels.ts";
import { listQueries } from "../../queries/records.ts";

// The history of an item: its registration and every change of its status, newest first.

const maxShown = 8;

export function LifeLine({ id }: { id: number }) {
  const { api } = useCurrentAccount();
  const { data } = useQuery(
    listQueries.type(api, "audit_line", {
      at: `/cis/${id}/audit`,
      fields: ["created_at", "changes"],
      per_page: "100",
    }),
  );
  const steps = (data?.rows ?? []).flatMap(({ id: line, created_at, changes }) => {
    const status = Array.isArray(changes?.status) ? changes.status[1] : null;
    return typeof status === "string" ? [{ line, at: Date.parse(created_at ?? ""), status }] : [];
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
