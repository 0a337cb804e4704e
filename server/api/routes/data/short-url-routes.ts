import encodeQR from "qr";
import { shortUrlOperations } from "../../../../records/answers/files.ts";
import { encodePng } from "../../../base/png.ts";
import { findWithRevision } from "../../../engine/find.ts";
import { parseRecordId } from "../../http/identifiers.ts";
import type { Api } from "../../http/pipeline.ts";
import type { Route } from "../../http/route.ts";
import { StaticContent } from "../../http/static-content.ts";
import { serve } from "../../operations/serve.ts";

/** Pixels of one square of the code: a label printer needs no more. */
const scale = 8;

/** CO39: GET /short_urls/:id/qr, the code of a short address for labels. */
export function shortUrlRoutes({ engine, domain }: Api): Route[] {
  const type = engine.types.get("short_url");
  return serve(shortUrlOperations, {
    "GET /short_urls/:id/qr": {
      scope: { type: type.scopeName, action: "Read" },
      mediaType: "image/png",
      async handle(call) {
        const id = parseRecordId(call.params.id, type, domain);
        const { json } = await findWithRevision(call.engine, call.caller, type, id, ["short_url"]);
        const { short_url: address } = JSON.parse(json) as { short_url: string };
        // A printed label gets scratched: a quarter of the squares may be unreadable.
        const squares = encodeQR(address, "raw", { ecc: "quartile", border: 4 });
        return { status: 200, content: new StaticContent("image/png", encodePng(squares, scale)) };
      },
    },
  });
}
