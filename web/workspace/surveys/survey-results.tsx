import IconStar from "@tabler/icons-react/dist/esm/icons/IconStar.mjs";
import { useQuery } from "@tanstack/react-query";
import type { AnswerOf } from "../../../records/answers/answer-of.ts";
import type { surveyResults } from "../../../records/answers/feedback.ts";
import { useCurrentAccount } from "../../api/current-account.ts";
import { formatNumber } from "../../base/formats.ts";
import { currentLocale, t } from "../../languages/index.ts";
import { EmptyState } from "../../parts/empty-state.tsx";
import { ErrorPanel } from "../../parts/states/error-panel.tsx";
import { SkeletonRows } from "../../parts/states/skeleton-rows.tsx";
import { surveyQueries } from "../../queries/surveys.ts";

type Results = AnswerOf<typeof surveyResults>;
type Rating = Pick<Results["months"][number], "count" | "average">;

const monthName = (month: string): string =>
  new Intl.DateTimeFormat(currentLocale(), { month: "short", year: "numeric", timeZone: "UTC" }).format(
    new Date(`${month}-01T00:00:00Z`),
  );

/** The ratings by time and service, their distribution, and the comments. */
export function SurveyResults({ id }: { id: number }) {
  const { api } = useCurrentAccount();
  const { data, error, refetch } = useQuery(surveyQueries.results(api, id));
  if (error !== null) return <ErrorPanel error={error} retry={() => void refetch()} />;
  if (data === undefined) return <SkeletonRows rows={8} />;
  if (data.responses === 0)
    return <EmptyState title={t("surveys.none")} lead={t("surveys.noneLead")} icon={IconStar} />;
  return (
    <div className="survey-results">
      <div className="survey-figures">
        <div>
          <span className="survey-figure">{data.average === null ? "–" : formatNumber(data.average)}</span>
          <span className="quiet">{t("surveys.average")}</span>
        </div>
        <div>
          <span className="survey-figure">{formatNumber(data.responses)}</span>
          <span className="quiet">{t("surveys.responses")}</span>
        </div>
      </div>
      {data.is_withheld && <p className="quiet">{t("surveys.withheld")}</p>}
      <RatingTable
        title={t("surveys.byMonth")}
        rows={data.months.map(({ month, ...row }) => ({ ...row, name: monthName(month) }))}
      />
      <RatingTable title={t("surveys.byService")} rows={data.services} />
      <section className="survey-section">
        <h2>{t("surveys.distribution")}</h2>
        {data.questions
          .filter(({ type }) => type === "star_rating")
          .map((question) => (
            <Distribution key={question.id} {...question} />
          ))}
      </section>
      {data.comments.length > 0 && (
        <section className="survey-section">
          <h2>{t("surveys.comments")}</h2>
          <ul className="survey-comments">
            {data.comments.map(({ text, service, month, question }, at) => (
              // biome-ignore lint/suspicious/noArrayIndexKey: texts have no name, and never change their order
              <li key={at}>
                <p>{text}</p>
                <span className="quiet small">
                  {service} · {monthName(month)} · {data.questions.find((each) => each.id === question)?.question}
                </span>
              </li>
            ))}
          </ul>
        </section>
      )}
    </div>
  );
}

/** A bar per row, with its number beside it. */
function RatingTable({ title, rows }: { title: string; rows: readonly (Rating & { name: string })[] }) {
  if (rows.length === 0) return null;
  return (
    <section className="survey-section">
      <h2>{title}</h2>
      <table className="survey-table">
        <thead className="spoken">
          <tr>
            <th scope="col">{title}</th>
            <th scope="col">{t("surveys.average")}</th>
            <th scope="col">{t("surveys.responses")}</th>
          </tr>
        </thead>
        <tbody>
          {rows.map(({ name, average, count }) => (
            <tr key={name}>
              <th scope="row">{name}</th>
              <td className="survey-bar-cell">
                {average === null ? (
                  <span className="quiet small">{t("surveys.few")}</span>
                ) : (
                  <meter className="survey-bar" min={0} max={5} value={average} aria-label={name} />
                )}
              </td>
              <td className="numbers">{average === null ? "" : formatNumber(average)}</td>
              <td className="numbers quiet">{t("surveys.answers", { count })}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  );
}

function Distribution({ question, count, average, distribution }: Results["questions"][number]) {
  const most = Math.max(1, ...(distribution ?? []));
  return (
    <div className="survey-question">
      <h3>
        {question}{" "}
        <span className="quiet">
          {average === null ? "" : `${formatNumber(average)} · `}
          {t("surveys.answers", { count })}
        </span>
      </h3>
      {distribution === null ? (
        <p className="quiet small">{t("surveys.few")}</p>
      ) : (
        <ol className="survey-stars">
          {[5, 4, 3, 2, 1].map((stars) => {
            const number = distribution[stars - 1] ?? 0;
            return (
              <li key={stars}>
                <span className="numbers" aria-hidden="true">
                  {stars} ★
                </span>
                <meter
                  className="survey-bar"
                  min={0}
                  max={most}
                  value={number}
                  aria-label={t("surveys.stars", { count: stars })}
                />
                <span className="numbers quiet">{formatNumber(number)}</span>
              </li>
            );
          })}
        </ol>
      )}
    </div>
  );
}
