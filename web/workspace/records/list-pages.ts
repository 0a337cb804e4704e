import type { RecordType } from "../../../records/vocabulary/index.ts";
import type { LazyPart } from "../../elements/lazy-part.tsx";
import { lazyScreen } from "../../parts/loading/lazy-screen.tsx";

// Record types whose bare list address opens a page of their own; with parameters it opens the generic list.

type Screen = LazyPart<{ type: RecordType; id: string }>;

const BroadcastListScreen = lazyScreen(
  async () => (await import("../broadcasts/broadcast-list.tsx")).BroadcastListScreen,
);
const KnowledgeListScreen = lazyScreen(
  async () => (await import("../knowledge/knowledge-list.tsx")).KnowledgeListScreen,
);
const SurveyListScreen = lazyScreen(async () => (await import("../surveys/survey-list.tsx")).SurveyListScreen);

export const listPages: Readonly<Record<string, Screen>> = {
  broadcast: BroadcastListScreen,
  knowledge_article: KnowledgeListScreen,
  survey: SurveyListScreen,
};
