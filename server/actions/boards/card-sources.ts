// The types whose records are cards of a board, as SQL on their rows `a`.

export type CardSource = {
  type: string;
  isOnBacklogs: boolean;
  impact: string;
  /** the target as the API writes it */
  target: string;
  kindOfTarget: string;
  checklist: string;
  /** given the account that the record belongs to */
  tags: (account: string) => string;
  member: string;
  service: { table: string; column: string } | null;
};

const none = "NULL";
const noTags = () => "'[]'::jsonb";

// A checklist is in a text: a line that begins with a box. Names of checked items are stored with the record.
const countChecklist = (text: string): string =>
  `(SELECT CASE WHEN c.total > 0 THEN jsonb_build_object('done', least(coalesce(cardinality(a.checked_items), 0), c.total), 'total', c.total) END
    FROM (SELECT regexp_count(${text}, '^\\s*(?:[-*+]|\\d+[.)])?\\s*\\[[ xX]?\\]\\s*\\S', 1, 'n') AS total) c)`;

const completionTarget = {
  target: "to_jsonb(a.completion_target_at)",
  kindOfTarget: "CASE WHEN a.completion_target_at IS NOT NULL THEN 'completion' END",
};

export const cardSources: readonly CardSource[] = [
  {
    type: "request",
    isOnBacklogs: true,
    impact: "a.impact",
    target: `CASE WHEN a.next_target_at LIKE '____-%' THEN to_jsonb(a.next_target_at::timestamptz) ELSE to_jsonb(a.next_target_at) END`,
    kindOfTarget: `CASE WHEN a.next_target_at LIKE '____-%' THEN CASE a.next_target_at::timestamptz
    WHEN a.response_target_at THEN 'response' WHEN a.desired_completion_at THEN 'desired' ELSE 'resolution' END END`,
    checklist: countChecklist("(SELECT t.instructions FROM request_templates t WHERE t.id = a.template_id)"),
    tags: (account) =>
      `coalesce((SELECT jsonb_agg(t.name ORDER BY t.name) FROM request_tags l JOIN tags t ON t.id = l.tag_id WHERE l.request_id = a.id AND l.account_id = ${account}), ${noTags()})`,
    member: "a.member_id",
    service: { table: "service_instances", column: "a.service_instance_id" },
  },
  {
    type: "problem",
    isOnBacklogs: true,
    impact: "a.impact",
    target: "to_jsonb(a.analysis_target_at)",
    kindOfTarget: "CASE WHEN a.analysis_target_at IS NOT NULL THEN 'analysis' END",
    checklist: none,
    tags: noTags,
    member: "a.member_id",
    service: { table: "services", column: "a.service_id" },
  },
  {
    type: "task",
    isOnBacklogs: false,
    impact: "a.impact",
    ...completionTarget,
    checklist: countChecklist("a.instructions"),
    tags: noTags,
    member: "a.member_id",
    service: null,
  },
  {
    type: "project_task",
    isOnBacklogs: false,
    impact: none,
    ...completionTarget,
    checklist: countChecklist("a.instructions"),
    tags: noTags,
    member:
      "(SELECT p.assignee_id FROM project_task_assignments p WHERE p.project_task_id = a.id AND p.account_id = a.account_id ORDER BY p.id LIMIT 1)",
    service: null,
  },
];
