import IconBook2 from "@tabler/icons-react/dist/esm/icons/IconBook2.mjs";
import type { ReactNode } from "react";
import type { RequestProgress } from "../../../records/answers/portal.ts";
import { useCurrentAccount } from "../../api/current-account.ts";
import { Icon } from "../../elements/icon.tsx";
import { useNow } from "../../parts/now.ts";
import { OrderedLines } from "../../parts/order/ordered-lines.tsx";
import { Avatar } from "../../parts/people/avatar.tsx";
import { useAddresses } from "../addresses.ts";
import { dayAndTime } from "../parts/plain-status.tsx";
import { formatSpan } from "../parts/spans.ts";
import type { PortalRequest } from "../queries.ts";
import { Link } from "../router.tsx";
import { t } from "../words.ts";

type Props = { request: PortalRequest; progress: RequestProgress | undefined; children: ReactNode };

/** The expected time, the people handling the request, and help meanwhile. */
export function RequestSide({ request, progress, children }: Props) {
  const { who } = useCurrentAccount();
  const at = useAddresses();
  const now = useNow();
  const target = request.requester_resolution_target_at;
  const isOpen = request.status !== "completed";
  const service = request.service_instance?.localized_name ?? request.service_instance?.name;
  const requestedFor = request.requested_for;
  return (
    <>
      {isOpen && target !== null && (
        <section className="panel side-card expected">
          <p className="quiet">{t("expected.title")}</p>
          <h2>{Date.parse(target) < now ? t("expected.lateTitle") : dayAndTime(Date.parse(target), now)}</h2>
          {progress?.agreement != null && (
            <p>
              {t("expected.agreement", {
                impact: ["top", "high"].includes(progress.agreement.impact ?? "") ? "many" : "other",
                time: formatSpan(progress.agreement.minutes),
              })}
            </p>
          )}
        </section>
      )}
      <section className="panel side-card">
        {(request.member !== null || request.team !== null) && (
          <div className="looks-after">
            <Avatar person={request.member} size={34} silent />
            <p>
              <b>{request.member?.name ?? request.team?.name}</b>
              <span className="quiet">
                {request.member === null || request.team === null
                  ? t("request.looksAfter")
                  : t("request.looksAfterTeam", { team: request.team.name })}
              </span>
            </p>
          </div>
        )}
        <dl className="facts">
          <dt>{t("request.number")}</dt>
          <dd>{request.id}</dd>
          {service !== undefined && (
            <>
              <dt>{t("request.service")}</dt>
              <dd>{service}</dd>
            </>
          )}
          {requestedFor !== null && (
            <>
              <dt>{t("request.askedFor")}</dt>
              <dd>{requestedFor.id === who.person.id ? t("request.you") : requestedFor.name}</dd>
            </>
          )}
          {children}
        </dl>
      </section>
      {progress !== undefined && progress.lines.length > 0 && (
        <section className="panel side-card">
          <h2 className="side-title">{t("shop.ordered")}</h2>
          <OrderedLines lines={progress.lines} orderedFor={requestedFor?.name ?? null} />
        </section>
      )}
      {isOpen && (progress?.articles.length ?? 0) > 0 && (
        <section className="panel side-card">
          <h2 className="side-title">
            <Icon of={IconBook2} size={18} /> {t("request.meanwhile")}
          </h2>
          <ul className="plain-list">
            {progress?.articles.map(({ id, subject }) => (
              <li key={id}>
                <Link to={at.article(id)}>{subject}</Link>
              </li>
            ))}
          </ul>
        </section>
      )}
    </>
  );
}
