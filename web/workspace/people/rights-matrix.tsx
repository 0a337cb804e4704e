import { Button } from "@mantine/core";
import IconCircleCheckFilled from "@tabler/icons-react/dist/esm/icons/IconCircleCheckFilled.mjs";
import { useState } from "react";
import { findType } from "../../base/record-types.ts";
import { Chip } from "../../elements/chip.tsx";
import { Icon } from "../../elements/icon.tsx";
import { t } from "../../languages/index.ts";
import { collectionLabel } from "../../languages/labels.ts";
import { ErrorMessage } from "../../parts/error-message.tsx";
import { LoadingSkeleton } from "../../parts/loading-skeleton.tsx";
import { joinWords, type Right, type Rights, rightNames, roleLabel, shortReason, useRightsByType } from "./rights.ts";

/** The most important types in this order; the others are shown on demand. */
const firstTypes = [
  ...[
    "request",
    "problem",
    "workflow",
    "task",
    "project",
    "knowledge_article",
    "ci",
    "person",
    "team",
    "service",
    "sla",
  ],
  ...["automation_rule", "webhook"],
];

/** One line per record type: the person's permissions and their origin. */
export function RightsMatrix({ person }: { person: number }) {
  const [showsAll, setShowsAll] = useState(false);
  const { data, error, refetch } = useRightsByType(person);
  if (error !== null) return <ErrorMessage error={error} retry={() => void refetch()} />;
  if (data === undefined) return <LoadingSkeleton rows={8} />;
  const byType = new Map(data.map((rights) => [rights.on.type, rights]));
  const first = firstTypes.flatMap((name) => byType.get(name) ?? []);
  const others = data.filter(({ on }) => !firstTypes.includes(on.type));
  const shown = showsAll ? [...first, ...others] : first;
  return (
    <div className="card rights-matrix">
      <table>
        <caption className="spoken">{t("rights.matrix")}</caption>
        <thead>
          <tr>
            <th scope="col">{t("rights.type")}</th>
            {rightNames.map((name) => (
              <th key={name} scope="col">
                {t(`rights.do.${name}`)}
              </th>
            ))}
            <th scope="col">{t("rights.from")}</th>
          </tr>
        </thead>
        <tbody>
          {shown.map((rights) => (
            <Line key={rights.on.type} rights={rights} />
          ))}
        </tbody>
      </table>
      {!showsAll && others.length > 0 && (
        <div className="rights-all">
          <Button variant="default" size="xs" onClick={() => setShowsAll(true)}>
            {t("rights.showAll", { count: data.length })}
          </Button>
        </div>
      )}
    </div>
  );
}

function Line({ rights }: { rights: Rights }) {
  const type = findType(rights.on.type);
  if (type === undefined) return null;
  return (
    <tr>
      <th scope="row">{collectionLabel(type)}</th>
      {rightNames.map((name) => (
        <td key={name}>
          <Mark right={rights[name]} />
        </td>
      ))}
      <td className="quiet">{describeOrigin(rights)}</td>
    </tr>
  );
}

function Mark({ right: { extent, because } }: { right: Right }) {
  if (extent === "all")
    return (
      <>
        <Icon of={IconCircleCheckFilled} color="var(--green-solid)" size={18} />
        <span className="spoken">{t("rights.yes")}</span>
      </>
    );
  if (extent === "some")
    return (
      <Chip tone="yellow" title={because.map(shortReason).join("; ")}>
        {t("rights.own")}
      </Chip>
    );
  return (
    <>
      <span aria-hidden="true">–</span>
      <span className="spoken">{t("rights.no")}</span>
    </>
  );
}

/** The roles that grant any permission, or the missing role. */
function describeOrigin(rights: Rights): string {
  const reasons = rightNames.flatMap((name) => rights[name].because);
  const isFull = (role: string) =>
    reasons.some((reason) => reason.role === role && reason.condition.length === 0 && reason.fields === null);
  const named = [...new Set(reasons.map(({ role }) => role))];
  // If a role grants a permission for all records, roles that grant it for some of them are left out.
  const roles = named.some(isFull) ? named.filter(isFull) : named;
  if (roles.length > 0)
    return joinWords(
      roles.map((role) => {
        const limited = reasons.find((reason) => reason.role === role && reason.condition.length > 0);
        return isFull(role) || limited === undefined ? roleLabel(role) : shortReason(limited);
      }),
    );
  if (rights.barred !== null) return t("rights.none");
  const [needed] = rights.see.needs;
  return needed === undefined ? t("rights.none") : t("rights.needs", { role: roleLabel(needed) });
}
