import { Button } from "@mantine/core";
import IconBook from "@tabler/icons-react/dist/esm/icons/IconBook.mjs";
import IconCopyCheck from "@tabler/icons-react/dist/esm/icons/IconCopyCheck.mjs";
import IconLink from "@tabler/icons-react/dist/esm/icons/IconLink.mjs";
import IconStack2 from "@tabler/icons-react/dist/esm/icons/IconStack2.mjs";
import IconUser from "@tabler/icons-react/dist/esm/icons/IconUser.mjs";
import { useQuery } from "@tanstack/react-query";
import type { Suggestions } from "../../../records/answers/suggestions.ts";
import { request as requestType } from "../../../records/work/request.ts";
import { useCurrentAccount } from "../../api/current-account.ts";
import type { Row } from "../../api/index.ts";
import { paths } from "../../base/paths.ts";
import { Icon } from "../../elements/icon.tsx";
import { Link } from "../../elements/link.tsx";
import { t } from "../../languages/index.ts";
import { Timestamp } from "../../parts/timestamp.tsx";
import { StatusChip, StatusIcon } from "../../parts/work/status.tsx";
import { listQueries } from "../../queries/records.ts";
import { getReferenceName, type Reference } from "../../queries/reference.ts";
import { getReferencedName, readText } from "../work-item/page-parts.ts";

type Props = {
  suggestions: Suggestions | undefined;
  person: Reference | null;
  article: Reference | null;
  onArticle(article: Reference | null): void;
  onAddTo(similar: Row): void;
};

/** Beside the form: similar requests, articles with an answer, and the person's recent requests. */
export function SuggestionPanel({ suggestions, person, article, onArticle, onAddTo }: Props) {
  const { account, api } = useCurrentAccount();
  const latest = useQuery({
    ...listQueries.type(api, "request", {
      ...{ fields: ["subject", "status"], sort: "-id", per_page: "3" },
      requested_for: String(person?.id),
    }),
    enabled: person !== null,
  });
  const similar = suggestions?.similar ?? [];
  const articles = suggestions?.articles ?? [];
  const rows = latest.data?.rows ?? [];
  if (similar.length === 0 && articles.length === 0 && rows.length === 0)
    return <p className="quiet">{t("newRequest.nothing")}</p>;
  return (
    <>
      {similar.length > 0 && (
        <>
          <h3>
            <Icon of={IconCopyCheck} color="var(--orange-solid)" /> {t("newRequest.similar")}
          </h3>
          {similar.slice(0, 2).map((row) => (
            <div className="suggestion" key={row.id}>
              <div className="status-chip">
                <span className="quiet numbers">{row.id}</span>
                <StatusChip type="request" status={readText(row, "status")} />
              </div>
              <div className="suggestion-title">{readText(row, "subject")}</div>
              <div className="quiet small">
                {getReferencedName(row, "requested_for")} · <Timestamp at={readText(row, "created_at")} />
                {getReferencedName(row, "team") === "" ? "" : ` · ${getReferencedName(row, "team")}`}
              </div>
              <div className="suggestion-actions">
                <Button size="xs" variant="default" leftSection={<Icon of={IconStack2} />} onClick={() => onAddTo(row)}>
                  {t("newRequest.addTo")}
                </Button>
                <Link to={paths.record(account.id, requestType, row.id)}>{t("newRequest.look")}</Link>
              </div>
            </div>
          ))}
        </>
      )}
      {articles.length > 0 && (
        <>
          <h3>
            <Icon of={IconBook} color="var(--blue-solid)" /> {t("newRequest.answers")}
          </h3>
          {articles.slice(0, 2).map((row) => {
            const isLinked = article?.id === row.id;
            return (
              <div className="suggestion" key={row.id}>
                <div className="suggestion-title">{readText(row, "subject")}</div>
                <div className="quiet small">
                  {readText(row, "description")}{" "}
                  {Number(row.times_applied ?? 0) > 0 && t("newRequest.applied", { count: Number(row.times_applied) })}
                </div>
                <div className="suggestion-actions">
                  <Button
                    size="xs"
                    variant={isLinked ? "light" : "default"}
                    aria-pressed={isLinked}
                    leftSection={<Icon of={IconLink} />}
                    onClick={() => onArticle(isLinked ? null : { id: row.id, subject: readText(row, "subject") })}
                  >
                    {t(isLinked ? "newRequest.unlinkArticle" : "newRequest.linkArticle")}
                  </Button>
                </div>
              </div>
            );
          })}
        </>
      )}
      {person !== null && rows.length > 0 && (
        <>
          <h3>
            <Icon of={IconUser} /> {t("newRequest.last", { name: getReferenceName(person).split(" ")[0] ?? "" })}
          </h3>
          {rows.map((row) => (
            <div className="suggestion-line small" key={row.id}>
              <StatusIcon type="request" status={readText(row, "status")} size={14} />
              <span className="quiet numbers">{row.id}</span>
              <Link to={paths.record(account.id, requestType, row.id)} className="truncate">
                {readText(row, "subject")}
              </Link>
            </div>
          ))}
        </>
      )}
    </>
  );
}
