import { lazyRouteComponent } from "@tanstack/react-router";
import type { ComponentType } from "react";
import type { RecordType } from "../../../records/vocabulary/index.ts";

// Record types whose bare list address has a page of its own; with parameters it is the list of all types.

type Screen = ComponentType<{ type: RecordType; id: string }>;

const BroadcastListScreen = lazyRouteComponent(
  () => import("../broadcasts/broadcast-list.tsx"),
  "BroadcastListScreen",
) as Screen;
const KnowledgeListScreen = lazyRouteComponent(
  () => import("../knowledge/knowledge-list.tsx"),
  "KnowledgeListScreen",
) as Screen;
const SurveyListScreen = lazyRouteComponent(() => import("../surveys/survey-list.tsx"), "SurveyListScreen") as Screen;

export const listPages: Readonly<Record<string, Screen>> = {
  broadcast: BroadcastListScreen,
  knowledge_article: KnowledgeListScreen,
  survey: SurveyListScreen,
};
