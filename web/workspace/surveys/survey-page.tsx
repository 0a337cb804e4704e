import { useQuery } from "@tanstack/react-query";
import { useNavigate, useSearch } from "@tanstack/react-router";
import type { RecordType } from "../../../records/vocabulary/index.ts";
import { useCurrentAccount } from "../../api/current-account.ts";
import { paths } from "../../base/paths.ts";
import { Chip } from "../../elements/chip.tsx";
import { t } from "../../languages/index.ts";
import { collectionLabel } from "../../languages/labels.ts";
import { ErrorMessage } from "../../parts/error-message.tsx";
import { LoadingSkeleton } from "../../parts/loading-skeleton.tsx";
import { PageBar } from "../../parts/page-bar.tsx";
import { useRecord } from "../../queries/index.ts";
import { surveyQueries } from "../../queries/surveys.ts";
import { QuestionEditor } from "./question-editor.tsx";
import { SurveyResults } from "./survey-results.tsx";
import "../../styles/surveys.css";

const tabs = ["results", "questions"] as const;

/** A survey: its results, and its questions with a preview. */
export function SurveyScreen({ type, id }: { type: RecordType; id: string }) {
  const { account, api } = useCurrentAccount();
  const navigate = useNavigate();
  const { tab: requestedTab }: { tab?: string } = useSearch({ strict: false });
  const tab = tabs.find((each) => each === requestedTab) ?? "results";
  const record = useRecord(type, id);
  const questions = useQuery(surveyQueries.questions(api, id));
  const failed = [record, questions].find(({ error }) => error !== null);
  if (failed?.error != null) return <ErrorMessage error={failed.error} retry={() => void failed.refetch()} />;
  if (record.data === undefined || questions.data === undefined) return <LoadingSkeleton rows={10} />;
  const survey = record.data;
  return (
    <div className="page">
      <PageBar
        title={String(survey.name)}
        trail={[{ label: collectionLabel(type), path: paths.list(account.id, type) }]}
      >
        {survey.disabled === true && <Chip>{t("record.disabled")}</Chip>}
        <div className="switch" role="tablist" aria-label={t("surveys.parts")}>
          {tabs.map((each) => (
            <button
              key={each}
              type="button"
              role="tab"
              aria-selected={tab === each}
              onClick={() => void navigate({ to: ".", search: each === "results" ? {} : { tab: each } })}
            >
              {t(`surveys.tab.${each}`)}
            </button>
          ))}
        </div>
      </PageBar>
      <div className="page-body">
        {tab === "results" ? (
          <SurveyResults id={survey.id} />
        ) : (
          <QuestionEditor type={type} survey={survey} questions={questions.data} />
        )}
      </div>
    </div>
  );
}
