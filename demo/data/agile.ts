import { inDays, type Table } from "./table.ts";

// biome-ignore format: a table keeps its columns
const agileBoards: Table = {
  type: "agile_board",
  in: "quillhaven-it",
  created: inDays(-500),
  rows: {
    portal: {
      name: "Portal Board", manager: "sunniva", description: "What the portal team is working on this sprint.",
      agile_board_columns: [
        { name: "To Do",       action_type: "assign",   team: "portal", clear_member: true },
        { name: "In Progress", action_type: "start",    wip_limit: 6 },
        { name: "Review",      action_type: "none",     wip_limit: 3 },
        { name: "Done",        action_type: "complete", dialog_type: "full", remove_after: 14 },
      ],
    },
    infrastructure: {
      name: "Servers and Databases Board", manager: "gareth",
      agile_board_columns: [
        { name: "Waiting", action_type: "none" },
        { name: "Next",    action_type: "assign", team: "infrastructure", member: "wei", wip_limit: 5 },
        { name: "Doing",   action_type: "start",  wip_limit: 3 },
        { name: "Done",    action_type: "complete", remove_after: 7 },
      ],
    },
    works: {
      in: "quillhaven-fm", name: "Works and Moves", manager: "samir",
      agile_board_columns: [
        { name: "Reported",  action_type: "none" },
        { name: "Scheduled", action_type: "accept" },
        { name: "Done",      action_type: "complete", remove_after: 30 },
      ],
    },
    retired: { name: "Old Wall", description: "Retired. Replaced by the boards above.", disabled: true },
  },
};

// biome-ignore format: a table keeps its columns
const productBacklogs: Table = {
  type: "product_backlog",
  in: "quillhaven-it",
  created: inDays(-480),
  rows: {
    portal: { name: "Customer Portal Backlog", product_owner: "sunniva", product_goal: "Customers can see every calibration of every instrument they own.", description: "Sorted by customer demand." },
    tools:  { name: "Internal Tools Backlog",  product_owner: "elsie" },
  },
};

const scrumWorkspaces: Table = {
  type: "scrum_workspace",
  in: "quillhaven-it",
  created: inDays(-470),
  rows: {
    portal: {
      name: "Customer Portal",
      agile_board: "portal",
      product_backlog: "portal",
      team: "portal",
      sprint_length: 2,
      description: "Two-week sprints with planning on Monday and a demo on Friday.",
    },
  },
};

export const agile: readonly Table[] = [agileBoards, productBacklogs, scrumWorkspaces];
