import IconArrowLeft from "@tabler/icons-react/dist/esm/icons/IconArrowLeft.mjs";
import IconShare3 from "@tabler/icons-react/dist/esm/icons/IconShare3.mjs";
import { useState } from "react";
import { useCurrentAccount } from "../../api/current-account.ts";
import { Icon } from "../../elements/icon.tsx";
import { useTopics } from "../../live/use-topics.ts";
import { useNow } from "../../parts/now.ts";
import { useAddresses } from "../addresses.ts";
import { Crumbs } from "../parts/crumbs.tsx";
import { expectedWords, StatusTile, stateWords } from "../parts/plain-status.tsx";
import { ErrorPanel, Loading } from "../parts/states.tsx";
import type { PortalRequest } from "../queries.ts";
import { useRequest } from "../queries.ts";
import { Link } from "../router.tsx";
import { t } from "../words.ts";
import { Composer } from "./composer.tsx";
import { Conversation } from "./conversation.tsx";
import { AddColleague, Followers } from "./followers.tsx";
import { RateCard } from "./rate-card.tsx";
import { RequestSide } from "./request-side.tsx";
import { PhoneSteps, Steps } from "./steps.tsx";
import { CloseDialog } from "./withdraw.tsx";

/** A request as a conversation: its state, the messages, the expected next step. */
export function RequestPage({ id }: { id: string }) {
  const { request, notes, progress, watches } = useRequest(id);
  useTopics([`record/request/${id}`]);
  if (request.error !== null && request.data === undefined)
    return <ErrorPanel error={request.error} retry={() => void request.refetch()} />;
  if (request.data === undefined) return <Loading rows={8} />;
  return (
    <Loaded
      request={request.data}
      notes={notes.data}
      progress={progress.data}
      watches={watches.data ?? []}
      notesError={notes.error}
    />
  );
}

type Parts = ReturnType<typeof useRequest>;
type Props = {
  request: PortalRequest;
  notes: Parts["notes"]["data"];
  progress: Parts["progress"]["data"];
  watches: NonNullable<Parts["watches"]["data"]>;
  notesError: unknown;
};

function Loaded({ request, notes, progress, watches, notesError }: Props) {
  const { who, account } = useCurrentAccount();
  const at = useAddresses();
  const now = useNow();
  const [dialog, setDialog] = useState<"withdraw" | "reopen" | "colleague" | null>(null);
  const me = who.person.id;
  const isMine = request.requested_by?.id === me || request.requested_for?.id === me;
  const isDone = request.status === "completed";
  // A solved request can be reopened by saying that the solution didn't help; after that, or too late, the person
  // submits a new one.
  const mayAnswer = progress?.may_rate === true;
  const isOpenedAgain =
    isDone && (mayAnswer || request.completion_reason === "withdrawn" || account.roles.includes("key_contact"));
  const approvers = progress?.approvers ?? [];
  const expected = expectedWords(request, now);
  const looksAfter = [request.member?.name.split(" ")[0], request.team?.name].filter(Boolean).join(", ");
  const actions = isMine && (
    <>
      {!isDone && (
        <button type="button" className="button" onClick={() => setDialog("colleague")}>
          <Icon of={IconShare3} size={18} /> {t("followers.add")}
        </button>
      )}
      {!isDone && (
        <button type="button" className="button" onClick={() => setDialog("withdraw")}>
          {t("withdraw.button")}
        </button>
      )}
      {isOpenedAgain && (
        <button type="button" className="button" onClick={() => setDialog("reopen")}>
          {t("reopen.button")}
        </button>
      )}
    </>
  );
  return (
    <div className="request">
      <Crumbs way={[{ label: t("nav.requests"), to: at.requests }]} here={String(request.id)} />
      <header className="request-head">
        <Link className="back plain" to={at.requests} aria-label={t("requests.back")}>
          <Icon of={IconArrowLeft} size={22} />
        </Link>
        <div className="request-title">
          <h1>{request.subject}</h1>
          <span className="narrow-only quiet">{request.id}</span>
        </div>
        <div className="request-actions">{actions}</div>
      </header>
      <div className="phone-status narrow-only">
        <StatusTile request={request} approvers={approvers} />
        <span>
          <b>{stateWords(request, now, approvers)}</b>
          <span>{[expected, looksAfter].filter(Boolean).join(" · ")}</span>
        </span>
        <PhoneSteps request={request} approvers={approvers} />
      </div>
      <div className="request-columns">
        <div className="request-main">
          <Steps request={request} progress={progress} />
          {mayAnswer && <RateCard request={request} />}
          {progress?.may_rate === false && progress.survey !== null && (
            <section className="panel rate">
              <h2>{t("survey.question", { service: progress.survey.service })}</h2>
              <a className="button" href={new URL(progress.survey.url).pathname}>
                {t("survey.open")}
              </a>
            </section>
          )}
          {notesError !== null && notes === undefined ? (
            <ErrorPanel error={notesError} />
          ) : (
            <Conversation request={request} notes={notes} progress={progress} />
          )}
          {!isDone && <Composer request={request} />}
          {isDone && isMine && (
            <p className="quiet center">
              {t("reopen.lead")}{" "}
              <Link to={at.newRequest(t("reopen.againText", { id: String(request.id) }))}>{t("reopen.again")}</Link>
            </p>
          )}
        </div>
        <aside className="request-side" aria-label={t("request.about")}>
          <div className="phone-actions">{actions}</div>
          <RequestSide request={request} progress={progress}>
            <Followers request={request} watches={watches} mayRemove={isMine} />
          </RequestSide>
        </aside>
      </div>
      {(dialog === "withdraw" || dialog === "reopen") && (
        <CloseDialog
          request={request}
          doing={dialog === "reopen" && mayAnswer ? "dissatisfied" : dialog}
          onClose={() => setDialog(null)}
        />
      )}
      {dialog === "colleague" && <AddColleague request={request} onClose={() => setDialog(null)} />}
    </div>
  );
}
