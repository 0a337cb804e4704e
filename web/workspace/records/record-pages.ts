import type { RecordType } from "../../../records/vocabulary/index.ts";
import type { LazyPart } from "../../elements/lazy-part.tsx";
import { lazyScreen } from "../../parts/loading/lazy-screen.tsx";

// Record types with a page of their own; all others have the generic one.

const RequestScreen = lazyScreen(async () => (await import("../work-item/request-page.tsx")).RequestScreen);

const WorkflowScreen = lazyScreen(async () => (await import("../workflow/workflow-page.tsx")).WorkflowScreen);
const CiScreen = lazyScreen(async () => (await import("../ci/ci-page.tsx")).CiScreen);
const OfferingScreen = lazyScreen(async () => (await import("../services/offering-page.tsx")).OfferingScreen);
const ServiceScreen = lazyScreen(async () => (await import("../services/service-page.tsx")).ServiceScreen);
const SlaScreen = lazyScreen(async () => (await import("../services/sla-page.tsx")).SlaScreen);
const BroadcastScreen = lazyScreen(async () => (await import("../broadcasts/broadcast-page.tsx")).BroadcastScreen);
const ArticleScreen = lazyScreen(async () => (await import("../knowledge/article-page.tsx")).ArticleScreen);
const SurveyScreen = lazyScreen(async () => (await import("../surveys/survey-page.tsx")).SurveyScreen);
const PersonScreen = lazyScreen(async () => (await import("../people/person-page.tsx")).PersonScreen);
const BoardScreen = lazyScreen(async () => (await import("../boards/board-page.tsx")).BoardScreen);
const BacklogScreen = lazyScreen(async () => (await import("../backlog/backlog-page.tsx")).BacklogScreen);
const ProjectScreen = lazyScreen(async () => (await import("../project/project-page.tsx")).ProjectScreen);

export const recordPages: Readonly<Record<string, LazyPart<{ type: RecordType; id: string }>>> = {
  request: RequestScreen,
  problem: RequestScreen,
  release: RequestScreen,
  risk: RequestScreen,
  task: RequestScreen,
  workflow: WorkflowScreen,
  ci: CiScreen,
  service_offering: OfferingScreen,
  service: ServiceScreen,
  sla: SlaScreen,
  broadcast: BroadcastScreen,
  knowledge_article: ArticleScreen,
  survey: SurveyScreen,
  agile_board: BoardScreen,
  product_backlog: BacklogScreen,
  project: ProjectScreen,
  person: PersonScreen,
};

/** Types whose page is also the form of a new record. */
export const newRecordPages = {
  broadcast: BroadcastScreen,
  knowledge_article: ArticleScreen,
} as const satisfies typeof recordPages;
