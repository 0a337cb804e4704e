import type { TypeRules } from "../engine/rules.ts";
import { agileBoardColumnRules, sprintRules } from "./agile.ts";
import { addressRules, contactRules } from "./contact.ts";
import { noteAttachmentRules, noteRules } from "./notes.ts";
import { organizationRules } from "./organization.ts";
import { personRules } from "./person.ts";
import { problemRules } from "./problem.ts";
import { releaseRules } from "./release.ts";
import { knowledgeArticleConditions, requestRules, reservationOfferingConditions, watchRules } from "./request.ts";
import { requestTemplateRules } from "./request-template.ts";
import { riskRules } from "./risk.ts";
import { surveyQuestionRules, surveyResponseRules } from "./survey.ts";
import { teamRules } from "./team.ts";

/** Our own rules that fit no table, by record type. */
export const typeRules: Readonly<Record<string, TypeRules>> = {
  account: { compute: { "address of the account": (id, { origin }) => `${origin}/a/${id}` } },
  person: personRules,
  contact: contactRules,
  address: addressRules,
  organization: organizationRules,
  team: teamRules,
  agile_board_column: agileBoardColumnRules,
  sprint: sprintRules,
  survey_question: surveyQuestionRules,
  survey_response: surveyResponseRules,
  request: requestRules,
  note: noteRules,
  note_attachment: noteAttachmentRules,
  watch: watchRules,
  request_template: requestTemplateRules,
  problem: problemRules,
  release: releaseRules,
  risk: riskRules,
  knowledge_article: { conditions: knowledgeArticleConditions },
  reservation_offering: { conditions: reservationOfferingConditions },
};
