import type { problem } from "../../../records/work/problem.ts";
import type { projectTask } from "../../../records/work/project-task.ts";
import type { request } from "../../../records/work/request.ts";
import type { task } from "../../../records/work/task.ts";
import type { Change } from "../../engine/rules.ts";
import { mapNames } from "../shared/map-names.ts";
import type { Positions } from "./positions.ts";

// The types whose records can be items of an agile board.

export const boardItemTypes = ["request", "problem", "task", "project_task"] as const;
export type BoardItemType = (typeof boardItemTypes)[number];
export type BoardItemChange = Change<typeof request | typeof problem | typeof task | typeof projectTask>;

export const columnPositions: Positions<BoardItemType> = {
  listField: "agile_board_column",
  positionField: "agile_board_column_position",
  listTable: "agile_board_columns",
  itemTables: mapNames(boardItemTypes, (type) => ({
    table: `${type}s`,
    listColumn: "agile_board_column_id",
    positionColumn: "agile_board_column_position",
  })),
};

export const parseBoardItemType = (text: string | null | undefined): BoardItemType | undefined =>
  boardItemTypes.find((type) => type === text);
