import { Button } from "@mantine/core";
import IconPlus from "@tabler/icons-react/dist/esm/icons/IconPlus.mjs";
import IconStar from "@tabler/icons-react/dist/esm/icons/IconStar.mjs";
import { useQuery } from "@tanstack/react-query";
import { service as serviceType } from "../../../records/configuration/service.ts";
import type { RecordType } from "../../../records/vocabulary/index.ts";
import { useCurrentAccount } from "../../api/current-account.ts";
import { formatNumber } from "../../base/formats.ts";
import { linkTo } from "../../base/history.ts";
import { paths } from "../../base/paths.ts";
import { Chip } from "../../elements/chip.tsx";
import { Icon } from "../../elements/icon.tsx";
import { Link } from "../../elements/link.tsx";
import { t } from "../../languages/index.ts";
import { collectionLabel } from "../../languages/labels.ts";
import { EmptyState } from "../../parts/empty-state.tsx";
import { PageBar } from "../../parts/page-bar.tsx";
import { ErrorPanel } from "../../parts/states/error-panel.tsx";
import { SkeletonRows } from "../../parts/states/skeleton-rows.tsx";
import { type SurveyOverview, surveyQueries } from "../../queries/surveys.ts";
import "../../styles/surveys.css";
import { RowBoundary } from "../../parts/lists/row-boundary.tsx";

/** All surveys with their services, the number of responses, and the ratings. */
export function SurveyListScreen({ type }: { type: RecordType }) {
  const { account, api, may } = useCurrentAccount();
  const { data, error, refetch } = useQuery(surveyQueries.overview(api));
  return (
    <div className="page">
      <PageBar
        title={collectionLabel(type)}
        actions={
          <>
            <Button variant="default" {...linkTo(`${paths.list(account.id, type)}?view=all`)}>
              {t("lists.asTable")}
            </Button>
            {may("create", type) && (
              <Button leftSection={<Icon of={IconPlus} />} {...linkTo(paths.create(account.id, type))}>
                {t("surveys.new")}
              </Button>
            )}
          </>
        }
      />
      <div className="page-body">
        {error !== null ? (
          <ErrorPanel error={error} retry={() => void refetch()} />
        ) : data === undefined ? (
          <SkeletonRows rows={6} />
        ) : data.surveys.length === 0 ? (
          <EmptyState title={t("surveys.noSurveys")} lead={t("surveys.noSurveysLead")} icon={IconStar} />
        ) : (
          <ul className="survey-cards">
            {data.surveys.map((survey) => (
              <RowBoundary key={survey.id} row={survey}>
                {() => (
                  <SurveyCard
                    type={type}
                    survey={survey}
                    result={data.results.find((result) => result.survey === survey.id)}
                    services={data.services.filter((row) => row.survey?.id === survey.id)}
                  />
                )}
              </RowBoundary>
            ))}
          </ul>
        )}
      </div>
    </div>
  );
}

type CardProps = {
  type: RecordType;
  survey: SurveyOverview["surveys"][number];
  result: SurveyOverview["results"][number] | undefined;
  services: SurveyOverview["services"];
};

function SurveyCard({ type, survey, result, services }: CardProps) {
  const { account } = useCurrentAccount();
  const responses = result?.responses ?? 0;
  return (
    <li className="survey-card">
      <div className="survey-card-head">
        <Link to={paths.record(account.id, type, survey.id)}>{survey.name}</Link>
        {survey.disabled === true && <Chip>{t("record.disabled")}</Chip>}
      </div>
      <p className="survey-card-figures">
        {result?.average != null && (
          <span className="survey-card-average">
            <Icon of={IconStar} /> {formatNumber(result.average)}
          </span>
        )}
        <span className="quiet">
          {responses === 0 ? t("surveys.unanswered") : t("surveys.answers", { count: responses })}
          {result !== undefined && ` · ${t("surveys.questions", { count: result.questions })}`}
        </span>
      </p>
      <p className="survey-card-services">
        {services.length === 0 ? (
          <span className="quiet">{t("surveys.unused")}</span>
        ) : (
          services.map(({ id, name, localized_name }) => (
            <Link key={id} to={paths.record(account.id, serviceType, id)}>
              {localized_name ?? name}
            </Link>
          ))
        )}
      </p>
    </li>
  );
}
