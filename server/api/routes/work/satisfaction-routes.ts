import { satisfactionOperations } from "../../../../records/answers/feedback.ts";
import { type Feedback, giveFeedback } from "../../../actions/feedback.ts";
import { Invalid } from "../../../base/errors.ts";
import { requireRecord } from "../../../engine/find.ts";
import { readInput } from "../../../engine/write/input.ts";
import { parseRecordId } from "../../http/identifiers.ts";
import type { Api } from "../../http/pipeline.ts";
import { type ApiResponse, type Call, noContent, type Route } from "../../http/route.ts";
import { serve } from "../../operations/serve.ts";

// SA4: 204 when the answer is stored, 304 when the request expects none from the caller.

export function satisfactionRoutes(api: Api): Route[] {
  const type = api.engine.types.get("request");
  const scope = { type: type.scopeName, action: "Update" } as const;
  const answer = async (call: Call, read: () => Promise<Feedback>): Promise<ApiResponse<undefined>> => {
    const id = parseRecordId(call.params.id, type, api.domain);
    const account = await requireRecord(call.engine, call.caller, type, id, "read");
    const feedback = await read();
    return (await giveFeedback(call.engine, call.caller, { id, account }, feedback)) ? noContent : { status: 304 };
  };
  return serve(satisfactionOperations, {
    "POST /requests/:id/satisfied": {
      scope,
      handle: (call) => answer(call, async () => ({ answer: "satisfied" })),
    },
    "POST /requests/:id/dissatisfied": {
      scope,
      handle: (call) => answer(call, () => parseComplaint(call)),
    },
  });
}

async function parseComplaint(call: Call): Promise<Feedback> {
  const { members, numberText } = await call.body();
  const { note = null, note_attachments = [], reopen } = members;
  const noteBody = { members: { note, note_attachments }, ...(numberText === undefined ? {} : { numberText }) };
  const type = call.engine.types.get("request");
  const { values, attachments, problems } = readInput(type, noteBody, call.caller, "update");
  if (problems.length === 0 && String(values.note ?? "").trim() === "") problems.push(["note", "can't be blank"]);
  if (problems.length > 0) throw new Invalid(problems);
  const isReopened = ["1", "t", "y", "true", "yes", "on"].includes(String(reopen ?? "").toLowerCase());
  return { answer: "dissatisfied", note: String(values.note), attachments, reopen: isReopened };
}
