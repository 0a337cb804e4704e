import IconStar from "@tabler/icons-react/dist/esm/icons/IconStar.mjs";
import { useQuery } from "@tanstack/react-query";
import { Fragment, useState } from "react";
import { person as personType } from "../../../../records/people/person.ts";
import { request as requestType } from "../../../../records/work/request.ts";
import type { Row } from "../../../api.ts";
import { useCurrentAccount } from "../../../current-account.ts";
import { t } from "../../../languages/index.ts";
import { Chip } from "../../../parts/chip.tsx";
import { Link } from "../../../parts/link.tsx";
import { RowBoundary } from "../../../parts/lists/row-boundary.tsx";
import { Avatar } from "../../../parts/people/avatar.tsx";
import { StatusIcon } from "../../../parts/work/status.tsx";
import { paths } from "../../../paths.ts";
import { getReferenceName, type Reference } from "../../../queries/reference.ts";
import { textOf } from "../page-parts.ts";
import { useSettled } from "../queries.ts";

type Person = Row & {
  name: string;
  vip?: boolean;
  job_title?: string | null;
  location?: string | null;
  organization?: Reference | null;
  site?: Reference | null;
  picture_uri?: string | null;
};

/** Who it is about: name, where they are, how to reach them, and what they asked for lately. */
export function RequesterCard({ person, except }: { person: Reference; except: number }) {
  const { account, api } = useCurrentAccount();
  const settled = useSettled();
  const [open, setOpen] = useState(false);
  const known = useQuery({
    queryKey: [account.id, "requester", String(person.id)],
    queryFn: async () => {
      const fields = "name,vip,job_title,location,organization,site,picture_uri";
      const [found, contacts] = await Promise.all([
        api.get<Person>(`/people/${person.id}`, { fields }),
        api.list(`/people/${person.id}/contacts`, { per_page: "20" }).catch(() => null),
      ]);
      const telephone = contacts?.rows.find((row) => textOf(row, "telephone") !== "");
      return { ...found, telephone: telephone === undefined ? "" : textOf(telephone, "telephone") };
    },
    enabled: settled,
    staleTime: 300_000,
    retry: false,
  });
  const latest = useQuery({
    queryKey: [account.id, "list", "/requests", "of", String(person.id)],
    queryFn: () =>
      api.list("/requests", { requested_for: String(person.id), fields: "subject,status", sort: "-id", per_page: "6" }),
    enabled: open,
  });
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
                    <StatusIcon type="request" status={textOf(row, "status")} size={14} />
                    <Link to={paths.record(account.id, requestType, row.id)}>
                      {row.id} {textOf(row, "subject")}
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
