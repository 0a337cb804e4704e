import { agileBoard } from "./configuration/agile-board.ts";
import { agileBoardColumn } from "./configuration/agile-board-column.ts";
import { contract } from "./configuration/contract.ts";
import { productBacklog } from "./configuration/product-backlog.ts";
import { scrumWorkspace } from "./configuration/scrum-workspace.ts";
import { service } from "./configuration/service.ts";
import { sprint } from "./configuration/sprint.ts";
import { survey } from "./configuration/survey.ts";
import { surveyQuestion } from "./configuration/survey-question.ts";
import { surveyResponse } from "./configuration/survey-response.ts";
import { archiveEntry } from "./journal/archive-entry.ts";
import { auditLine } from "./journal/audit-line.ts";
import { trashEntry } from "./journal/trash-entry.ts";
import { account } from "./people/account.ts";
import { address } from "./people/address.ts";
import { contact } from "./people/contact.ts";
import { organization } from "./people/organization.ts";
import { person } from "./people/person.ts";
import { site } from "./people/site.ts";
import { team } from "./people/team.ts";
import { knowledgeArticleTemplate } from "./settings/knowledge-article-template.ts";
import { projectCategory } from "./settings/project-category.ts";
import { riskSeverity } from "./settings/risk-severity.ts";
import { slaNotificationScheme } from "./settings/sla-notification-scheme.ts";
import { waitingForCustomerFollowUp } from "./settings/waiting-for-customer-follow-up.ts";
import type { RecordType } from "./vocabulary/index.ts";

/** Every record type there is. A type not listed here does not exist. */
export const register: readonly RecordType[] = [
  account,
  person,
  contact,
  address,
  organization,
  site,
  team,
  service,
  contract,
  projectCategory,
  riskSeverity,
  scrumWorkspace,
  waitingForCustomerFollowUp,
  knowledgeArticleTemplate,
  slaNotificationScheme,
  agileBoard,
  agileBoardColumn,
  sprint,
  productBacklog,
  survey,
  surveyQuestion,
  surveyResponse,
  auditLine,
  archiveEntry,
  trashEntry,
];
