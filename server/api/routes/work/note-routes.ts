import { noteOperations } from "../../../../records/answers/feedback.ts";
import { redactNote } from "../../../actions/note-redaction.ts";
import { find, requireRecord } from "../../../engine/find.ts";
import { parseRecordId } from "../../http/identifiers.ts";
import type { Api } from "../../http/pipeline.ts";
import { okJson, type Route } from "../../http/route.ts";
import { serve } from "../../operations/serve.ts";

/** POST /notes/:id/redact: an administrator removes the text and the files of a note. */
export function noteRoutes({ engine, domain }: Api): Route[] {
  const type = engine.types.get("note");
  return serve(noteOperations, {
    "POST /notes/:id/redact": {
      scope: { type: type.scopeName, action: "Update" },
      async handle(call) {
        const id = parseRecordId(call.params.id, type, domain);
        const account = await requireRecord(call.engine, call.caller, type, id, "read");
        await redactNote(call.engine, call.caller, { id, account });
        return okJson(await find(call.engine, call.caller, type, id));
      },
    },
  });
}
