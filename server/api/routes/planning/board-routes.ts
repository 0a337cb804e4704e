import { boardOperations } from "../../../../records/answers/boards.ts";
import { changeBacklogItem } from "../../../actions/boards/change-backlog-item.ts";
import { loadBacklog } from "../../../actions/boards/load-backlog.ts";
import { loadBoard } from "../../../actions/boards/load-board.ts";
import { completeSprint, parseUnfinished, startSprint } from "../../../actions/boards/sprint-steps.ts";
import { NotFound } from "../../../base/errors.ts";
import { findWithRevision, requireRecord } from "../../../engine/find.ts";
import type { Type } from "../../../engine/types.ts";
import { parseRecordId } from "../../http/identifiers.ts";
import type { Api } from "../../http/pipeline.ts";
import { type Call, ok, type Route, respondWithRecord } from "../../http/route.ts";
import { serve } from "../../operations/serve.ts";

/** Boards and backlogs in one call, rank and estimate of a backlog item, start and end of a sprint. */
export function boardRoutes({ engine, domain }: Api): Route[] {
  const [board, backlog, sprint, item] = ["agile_board", "product_backlog", "sprint", "product_backlog_item"].map(
    (name) => engine.types.get(name),
  ) as [Type, Type, Type, Type];
  const find = async (call: Call, type: Type, operation: "read" | "update") => {
    const id = parseRecordId(call.params.id, type, domain);
    return { id, account: await requireRecord(call.engine, call.caller, type, id, operation) };
  };
  const respondWithSprint = async (call: Call, id: number) =>
    respondWithRecord(await findWithRevision(call.engine, call.caller, sprint, id));
  return serve(boardOperations, {
    "GET /agile_boards/:id/items": {
      scope: { type: board.scopeName, action: "Read" },
      async handle(call) {
        const { id, account } = await find(call, board, "read");
        return ok(requireFound(await loadBoard(call.engine, call.caller, id, account)));
      },
    },
    "GET /product_backlogs/:id/items": {
      scope: { type: backlog.scopeName, action: "Read" },
      async handle(call) {
        const { id, account } = await find(call, backlog, "read");
        return ok(requireFound(await loadBacklog(call.engine, call.caller, id, account)));
      },
    },
    "PATCH /product_backlogs/:id/product_backlog_items/:child": {
      scope: { type: backlog.scopeName, action: "Update" },
      async handle(call) {
        const { id, account } = await find(call, backlog, "read");
        const child = parseRecordId(call.params.child, item, domain);
        const { members } = await call.body();
        await changeBacklogItem(call.engine, call.caller, { backlog: id, item: child, account }, members);
        return respondWithRecord(await findWithRevision(call.engine, call.caller, item, child));
      },
    },
    "POST /sprints/:id/start": {
      scope: { type: sprint.scopeName, action: "Update" },
      async handle(call) {
        const place = await find(call, sprint, "update");
        await startSprint(call.engine, call.caller, place);
        return respondWithSprint(call, place.id);
      },
    },
    "POST /sprints/:id/complete": {
      scope: { type: sprint.scopeName, action: "Update" },
      async handle(call) {
        const place = await find(call, sprint, "update");
        await completeSprint(call.engine, call.caller, place, parseUnfinished((await call.body()).members));
        return respondWithSprint(call, place.id);
      },
    },
  });
}

function requireFound<T>(found: T | null): T {
  if (found === null) throw new NotFound();
  return found;
}
