import { openApiOperations } from "../../../records/answers/account.ts";
import { BadRequest } from "../../base/errors.ts";
import { TimeSlices } from "../../base/time-slices.ts";
import type { Api } from "../http/pipeline.ts";
import type { Route } from "../http/route.ts";
import { StaticContent } from "../http/static-content.ts";
import { serve } from "../operations/serve.ts";
import { buildOpenApiDocument } from "./document.ts";
import { DocumentParts } from "./document-parts.ts";

const json = "application/json; charset=utf-8";
/** The most recently requested parts stay in memory. */
const maxParts = 32;

/** GET /openapi.json. The document is built on the first request, and each of its parts as well. */
export function openApiRoutes(api: Api, routes: readonly Route[]): Route[] {
  let parts: Promise<DocumentParts> | null = null;
  let whole: Promise<StaticContent> | null = null;
  const byTag = new Map<string, Promise<StaticContent>>();

  const build = async (): Promise<DocumentParts> => {
    const slices = new TimeSlices();
    const document = await buildOpenApiDocument({ types: api.engine.types, domain: api.domain }, routes, slices);
    return DocumentParts.read(document, slices);
  };
  const getParts = (): Promise<DocumentParts> => {
    parts ??= build();
    return parts;
  };
  const getWhole = async (): Promise<StaticContent> => {
    const all = await getParts();
    whole ??= all.buildWhole(new TimeSlices()).then((bytes) => new StaticContent(json, bytes));
    return whole;
  };
  const getPart = async (wanted: string): Promise<StaticContent> => {
    const all = await getParts();
    const tag = all.tags.find((name) => name.toLowerCase() === wanted.toLowerCase());
    if (tag === undefined) throw new BadRequest(`Invalid value for parameter 'tag': ${wanted.slice(0, 100)}`);
    const content =
      byTag.get(tag) ?? all.buildPart(tag, new TimeSlices()).then((bytes) => new StaticContent(json, bytes));
    byTag.delete(tag);
    byTag.set(tag, content);
    for (const oldest of byTag.keys()) if (byTag.size > maxParts) byTag.delete(oldest);
    return content;
  };
  return serve(openApiOperations, {
    "GET /openapi": {
      scope: null,
      anonymous: true,
      async handle({ query }) {
        const tag = query.find(({ name }) => name === "tag")?.value;
        return { status: 200, content: await (tag === undefined ? getWhole() : getPart(tag)) };
      },
    },
  });
}
