import { Chip } from "../../../elements/chip.tsx";
import { t } from "../../../languages/index.ts";
import { ErrorPanel } from "../../../parts/states/error-panel.tsx";
import { SkeletonRows } from "../../../parts/states/skeleton-rows.tsx";
import { formatWorkId } from "../../../parts/work/work-id.ts";
import { useBacklog } from "../../backlog/use-backlog.ts";
import { Points } from "../card.tsx";
import type { Sprint, Workspace } from "../picture.ts";
import { formatPeriod, sprintName } from "../sprint-bar.tsx";
import { BurnDown } from "./burn-down.tsx";
import { averagePoints, Velocity } from "./velocity.tsx";

type Props = {
  workspace: Workspace;
  tab: "sprints" | "reports";
  chosen: string | undefined;
  onChoose(sprint: string): void;
};

const tones = { registered: "grey", active: "blue", completed: "green" } as const;

/** The sprints of a workspace with burn-down and content, or their points side by side. */
export default function SprintsTab({ workspace, tab, chosen, onChoose }: Props) {
  const { data, error, refetch } = useBacklog(String(workspace.backlog.id));
  if (error !== null) return <ErrorPanel error={error} retry={() => void refetch()} />;
  if (data === undefined) return <SkeletonRows rows={8} />;
  const sprints = [...data.sprints].reverse();
  if (tab === "reports") return <Report sprints={data.sprints} />;
  const shown =
    sprints.find(({ id }) => String(id) === chosen) ?? sprints.find(({ status }) => status === "active") ?? sprints[0];
  return (
    <div className="page-body sprints">
      <ul className="sprint-list" aria-label={t("boards.tab.sprints")}>
        {sprints.map((sprint) => (
          <li key={sprint.id}>
            <button type="button" aria-pressed={sprint === shown} onClick={() => onChoose(String(sprint.id))}>
              <span className="truncate">{sprintName(sprint)}</span>
              <span className="quiet small">{formatPeriod(sprint)}</span>
              <Chip tone={tones[sprint.status]}>{t(`boards.status.${sprint.status}`)}</Chip>
            </button>
          </li>
        ))}
      </ul>
      {shown === undefined ? <p className="quiet">{t("boards.noSprints")}</p> : <SprintDetails sprint={shown} />}
    </div>
  );
}

function SprintDetails({ sprint }: { sprint: Sprint }) {
  return (
    <section className="sprint-details" aria-label={sprintName(sprint)}>
      <h2>{sprintName(sprint)}</h2>
      {sprint.goal !== null && <p>{sprint.goal}</p>}
      <h3>{t("boards.burnDown")}</h3>
      <BurnDown sprint={sprint} />
      <h3>{t("boards.content", { done: sprint.done, count: sprint.points })}</h3>
      <ul className="sprint-items">
        {sprint.items.map((item) => (
          <li key={item.id} data-done={item.done === true || undefined}>
            <span className="numbers quiet">{formatWorkId(item.type, item.record)}</span>
            <span className="truncate">{item.subject}</span>
            {item.done === true && <Chip tone="green">{t("boards.done")}</Chip>}
            {!item.planned && sprint.status !== "registered" && <Chip>{t("boards.addedLater")}</Chip>}
            <Points estimate={item.estimate} />
          </li>
        ))}
      </ul>
    </section>
  );
}

function Report({ sprints }: { sprints: readonly Sprint[] }) {
  const average = averagePoints(sprints);
  const started = sprints.filter(({ status }) => status !== "registered");
  return (
    <div className="page-body sprint-report">
      <section>
        <h2>
          {t("boards.velocity")}{" "}
          {average !== null && <span className="quiet">{t("boards.average", { count: average })}</span>}
        </h2>
        <Velocity sprints={sprints} />
        <table className="figures-table">
          <caption className="spoken">{t("boards.velocity")}</caption>
          <thead>
            <tr>
              <th scope="col">{t("boards.tab.sprints")}</th>
              <th scope="col">{t("boards.planned")}</th>
              <th scope="col">{t("boards.done")}</th>
            </tr>
          </thead>
          <tbody>
            {started.map((sprint) => (
              <tr key={sprint.id}>
                <th scope="row">{sprintName(sprint)}</th>
                <td className="numbers">{sprint.points}</td>
                <td className="numbers">{sprint.done}</td>
              </tr>
            ))}
          </tbody>
        </table>
      </section>
    </div>
  );
}
