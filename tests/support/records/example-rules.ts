// The twelve example rules: their texts, and the words in them that the editor completes.

type Texts = { name: string; trigger?: string; expressions: string; condition: string; actions: string };
/** `about`: the record type; `completed`: words of the texts, in order, of which a person types only the beginning */
export type ExampleRule = { about: "request" | "task" | "ci"; completed: readonly string[]; texts: Texts };

export const exampleRules = {
  informRequester: {
    about: "task",
    completed: ["requests", "completion_target_at"],
    texts: {
      name: "Keep the requester informed",
      expressions: "ordered: status = completed\nreq: workflow.requests[first]\nwhen: completion_target_at",
      condition: "ordered and req",
      actions: "a1: update req add note 'Your device was ordered. Planned delivery: {{when}}.'",
    },
  },
  noRoomWork: {
    about: "task",
    completed: ["custom_fields", "subject"],
    texts: {
      name: "No room work",
      expressions:
        "started: status = assigned\nkind: workflow.requests[first].custom_fields.meeting_kind\nskip: workflow.tasks.select(subject in ['Arrange seating', 'Order catering'])",
      condition: "started and kind = 'online'",
      actions:
        "a1: update skip set status = canceled\na2: add note 'Seating and catering are not needed for an online meeting.'",
    },
  },
  backToDrafting: {
    about: "task",
    completed: ["public", "predecessors"],
    texts: {
      name: "Send a contract back",
      expressions: "bad: status = failed\nremark: notes.select(public = true)[last].text\ndraft: predecessors[first]",
      condition: "bad and draft",
      actions:
        "a1: update draft set status = assigned\na2: update draft add note 'Legal asks for changes: {{remark}}'\na3: set status = registered",
    },
  },
  nudgeVoters: {
    about: "task",
    completed: ["approvals", "approver"],
    texts: {
      name: "Nudge voters",
      trigger: "after delay",
      expressions: "open: status = assigned\nwaiting: approvals.select(status = assigned).map(approver)",
      condition: "open",
      actions: "a1: add note 'Still waiting for {{waiting}}.'\na2: after 24.hours start 'Nudge voters'",
    },
  },
  dailyReminder: {
    about: "task",
    completed: ["assigned", "open"],
    texts: {
      name: "Daily reminder",
      expressions: "open: status = assigned",
      condition: "open",
      actions: "a1: after 1.day start 'Nudge voters'",
    },
  },
  escalate: {
    about: "request",
    completed: ["calendar", "urgent_case"],
    texts: {
      name: "Escalate",
      trigger: "on team update",
      expressions:
        "cal: find(calendar, 'Mon-Fri office hours')\ndue: cal.target_at(now, 4.hours)\nurgent_case: category = incident and impact in [high, top]",
      condition: "urgent_case",
      actions: "a1: after due start 'Escalation check'",
    },
  },
  approvers: {
    about: "task",
    completed: ["picked", "required_approvals"],
    texts: {
      name: "Approvers",
      expressions:
        "go: status = assigned\npicked: find_all(people, workflow.requests[first].custom_fields.budget_holders)\nvote: workflow.tasks['Budget approval']",
      condition: "go and picked.count > 0",
      actions: "a1: update vote add picked to approvals\na2: update vote set required_approvals = picked.count",
    },
  },
  beforeVisit: {
    about: "task",
    completed: ["begin", "start_at"],
    texts: {
      name: "Start before the visit",
      expressions:
        "go: status = assigned\nvisit: workflow.requests[first].custom_fields.visit_at.to_date_time\nbegin: visit - 2.hours",
      condition: "go and begin > now",
      actions: "a1: set start_at = begin",
    },
  },
  badgeSystem: {
    about: "request",
    completed: ["requested_for", "primary_email"],
    texts: {
      name: "Tell the badge system",
      expressions:
        "done: status = completed and status_was != completed\nroom: custom_fields.room\nwho: requested_for.primary_email\nlabel: cis[first].label",
      condition: "done and room",
      actions: "a1: call webhook 'Badge system' with payload 'room who label'",
    },
  },
  extraTask: {
    about: "task",
    completed: ["task", "predecessors"],
    texts: {
      name: "Extra task",
      expressions:
        "go: status = assigned\nsite: workflow.requests[first].requested_for.site\nextra: new(task, 'Collect parking card')",
      condition: "go and site = 'Amsterdam Office'",
      actions: "a1: update extra add self to predecessors",
    },
  },
  stopClock: {
    about: "task",
    completed: ["rejected", "provider_not_accountable"],
    texts: {
      name: "Stop the clock",
      expressions: "reqs: workflow.requests\nstop: status = assigned",
      condition: "status in [assigned, approved, rejected, canceled]",
      actions: "a1: update reqs set provider_not_accountable = stop",
    },
  },
  deviceOwner: {
    about: "ci",
    completed: ["systemID", "users"],
    texts: {
      name: "Device owner",
      trigger: "on source update",
      expressions:
        "login: systemID.split('-')[last]\nowner: find(person, login + '@widget.example')\nplace: owner ? owner.site : site\ngrade: nr_of_cores >= 16 then 'large' else nr_of_cores >= 8 then 'medium' else 'small'",
      condition: "owner",
      actions: "a1: set site = place\na2: add owner to users\na3: set custom_fields.size_class = grade",
    },
  },
} as const satisfies Record<string, ExampleRule>;
