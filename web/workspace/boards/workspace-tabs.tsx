import { useCurrentAccount } from "../../api/current-account.ts";
import { linkTo } from "../../base/history.ts";
import { paths } from "../../base/paths.ts";
import { t } from "../../languages/index.ts";
import type { NamedRecord, Workspace } from "./picture.ts";

export const workspaceTabs = ["board", "backlog", "sprints", "reports"] as const;
export type WorkspaceTab = (typeof workspaceTabs)[number];

const boards = { collection: "agile_boards" };
const backlogs = { collection: "product_backlogs" };

type Props = {
  board: NamedRecord | null;
  workspace: Workspace | null;
  current: WorkspaceTab;
  count?: number | undefined;
};

/** Board, backlog, sprints and reports of a workspace. A board without a workspace has only itself. */
export function WorkspaceTabs({ board, workspace, current, count }: Props) {
  const { account } = useCurrentAccount();
  if (workspace === null) return null;
  const boardPath = paths.record(account.id, boards, (board ?? workspace.board).id);
  const addresses: Record<WorkspaceTab, string> = {
    board: boardPath,
    backlog: paths.record(account.id, backlogs, workspace.backlog.id),
    sprints: `${boardPath}?tab=sprints`,
    reports: `${boardPath}?tab=reports`,
  };
  return (
    <nav className="page-tabs" aria-label={workspace.name}>
      {workspaceTabs.map((tab) => {
        const { component: _, ...link } = linkTo(addresses[tab]);
        return (
          <a key={tab} {...link} aria-current={tab === current ? "page" : undefined}>
            {t(`boards.tab.${tab}`)}
            {tab === "backlog" && <span className="quiet numbers">{count ?? workspace.backlog.count}</span>}
          </a>
        );
      })}
    </nav>
  );
}
