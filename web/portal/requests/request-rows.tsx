import IconChevronRight from "@tabler/icons-react/dist/esm/icons/IconChevronRight.mjs";
import { formatNear } from "../../base/moments.ts";
import { Icon } from "../../elements/icon.tsx";
import { RowBoundary } from "../../parts/lists/row-boundary.tsx";
import { useNow } from "../../parts/now.ts";
import { useAddresses } from "../addresses.ts";
import { expectedWords, plainState, StatusTile, stateWords } from "../parts/plain-status.tsx";
import type { PortalRequest } from "../queries.ts";
import { Link } from "../router.tsx";
import { t } from "../words.ts";

/** A requester's list of requests: subject, state, expected time. */
export function RequestRows({ requests }: { requests: readonly PortalRequest[] }) {
  const at = useAddresses();
  const now = useNow();
  return (
    <ul className="rows panel">
      {requests.map((request) => (
        <RowBoundary key={request.id} row={request}>
          {() => <RequestRow request={request} to={at.request(request.id)} now={now} />}
        </RowBoundary>
      ))}
    </ul>
  );
}

function RequestRow({ request, to, now }: { request: PortalRequest; to: string; now: number }) {
  const state = plainState(request);
  const more = describeMore(request, now);
  return (
    <li>
      <Link to={to} className="row">
        <StatusTile request={request} />
        <span className="row-text">
          <span className="row-title">{request.subject}</span>
          <span className="row-state">
            <span data-state={state}>{stateWords(request, now)}</span>
            {more !== null && <span className="quiet"> · {more}</span>}
          </span>
        </span>
        {state === "question" ? (
          <span className="button row-button">{t("requests.answer")}</span>
        ) : (
          <Icon of={IconChevronRight} size={18} />
        )}
      </Link>
    </li>
  );
}

function describeMore(request: PortalRequest, now: number): string | null {
  const expected = expectedWords(request, now);
  if (expected !== null) return expected;
  if (request.completed_at !== null) return formatNear(Date.parse(request.completed_at), now);
  if (request.status === "waiting_for_customer" && request.member !== null)
    return t("requests.asked", {
      name: request.member.name.split(" ")[0] ?? "",
      when: formatNear(Date.parse(request.updated_at), now),
    });
  return formatNear(Date.parse(request.created_at), now);
}
