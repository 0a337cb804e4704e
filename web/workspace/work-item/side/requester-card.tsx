import IconStar from "@tabler/icons-react/dist/esm/icons/IconStar.mjs";
import { useQuery } from "@tanstack/react-query";
import { Fragment, useState } from "react";
import { person as personType } from "../../../../records/people/person.ts";
import { request as requestType } from "../../../../records/work/request.ts";
import { useCurrentAccount } from "../../../api/current-account.ts";
import { paths } from "../../../base/paths.ts";
import { Chip } from "../../../elements/chip.tsx";
import { Link } from "../../../elements/link.tsx";
import { t } from "../../../languages/index.ts";
import { RowBoundary } from "../../../parts/lists/row-boundary.tsx";
import { Avatar } from "../../../parts/people/avatar.tsx";
import { StatusIcon } from "../../../parts/work/status.tsx";
import { useSettled } from "../../../queries/record-page.ts";
import { getReferenceName, type Reference } from "../../../queries/reference.ts";
import { peopleQueries } from "../../../queries/work/people.ts";
import { requestQueries } from "../../../queries/work/requests.ts";
import { readText } from "../page-parts.ts";

/** The requester: name, location, contact details, and recent requests. */
export function RequesterCard({ person, except }: { person: Reference; except: number }) {
  const { account, api } = useCurrentAccount();
  const settled = useSettled();
  const [open, setOpen] = useState(false);
  const known = useQuery({ ...peopleQueries.requester(api, person.id), enabled: settled });
  const latest = useQuery({ ...requestQueries.latestOf(api, person.id), enabled: open });
  const facts = known.data;
  const details = [
    facts?.job_title,
    facts?.location ?? facts?.site?.name,
    facts?.organization === undefined || facts.organization === null ? null : getReferenceName(facts.organization),
    facts?.telephone,
  ].filter((part): part is string => typeof part === "string" && part !== "");
  const others = latest.data?.rows.filter(({ id }) => id !== except).slice(0, 5) ?? [];
  return (
    <section className="requester" aria-label={t("request.requester")}>
      <Avatar person={{ ...person, picture_uri: facts?.picture_uri }} size={34} silent />
      <div className="requester-facts">
        <div>
          <Link to={paths.record(account.id, personType, person.id)} fw={550}>
            {getReferenceName(person)}
          </Link>{" "}
          {facts?.vip === true && (
            <Chip tone="violet" icon={IconStar}>
              {t("request.vip")}
            </Chip>
          )}
        </div>
        <div className="quiet small">
          {details.map((part, at) => (
            <Fragment key={part}>
              <span className="requester-fact">{at < details.length - 1 ? `${part} ·` : part}</span>{" "}
            </Fragment>
          ))}
        </div>
        <button type="button" className="text-button small" aria-expanded={open} onClick={() => setOpen(!open)}>
          {t("request.latest")}
        </button>
        {open && latest.data !== undefined && (
          <ul className="requester-latest">
            {others.length === 0 && <li className="quiet">{t("request.latestNone")}</li>}
            {others.map((row) => (
              <RowBoundary key={row.id} row={row}>
                {() => (
                  <li>
                    <StatusIcon type="request" status={readText(row, "status")} size={14} />
                    <Link to={paths.record(account.id, requestType, row.id)}>
                      {row.id} {readText(row, "subject")}
                    </Link>
                  </li>
                )}
              </RowBoundary>
            ))}
          </ul>
        )}
      </div>
    </section>
  );
}
