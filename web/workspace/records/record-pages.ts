import { lazyRouteComponent } from "@tanstack/react-router";
import type { ComponentType } from "react";
import type { RecordType } from "../../../records/vocabulary/index.ts";

// Record types with a page of their own; all others have the generated one.

const RequestScreen = lazyRouteComponent(() => import("../request/request-page.tsx"), "RequestScreen");

const WorkflowScreen = lazyRouteComponent(() => import("../workflow/workflow-page.tsx"), "WorkflowScreen");
const CiScreen = lazyRouteComponent(() => import("../ci/ci-page.tsx"), "CiScreen");
const OfferingScreen = lazyRouteComponent(() => import("../services/offering-page.tsx"), "OfferingScreen");
const ServiceScreen = lazyRouteComponent(() => import("../services/service-page.tsx"), "ServiceScreen");
const SlaScreen = lazyRouteComponent(() => import("../services/sla-page.tsx"), "SlaScreen");
const BroadcastScreen = lazyRouteComponent(() => import("../broadcasts/broadcast-page.tsx"), "BroadcastScreen");
const ArticleScreen = lazyRouteComponent(() => import("../knowledge/article-page.tsx"), "ArticleScreen");
const SurveyScreen = lazyRouteComponent(() => import("../surveys/survey-page.tsx"), "SurveyScreen");
const PersonScreen = lazyRouteComponent(() => import("../people/person-page.tsx"), "PersonScreen");
const BoardScreen = lazyRouteComponent(() => import("../boards/board-page.tsx"), "BoardScreen");
const BacklogScreen = lazyRouteComponent(() => import("../backlog/backlog-page.tsx"), "BacklogScreen");
const ProjectScreen = lazyRouteComponent(() => import("../project/project-page.tsx"), "ProjectScreen");

export const recordPages: Readonly<Record<string, ComponentType<{ type: RecordType; id: string }>>> = {
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

/** Those whose page is also the form of a new record. */
export const newRecordPages = {
  broadcast: BroadcastScreen,
  knowledge_article: ArticleScreen,
} as const satisfies typeof recordPages;
