import type { FastifyRequest } from "fastify";
import { parseJson, parseSmallForm } from "../api/http/body.ts";
import { BadRequest } from "../base/errors.ts";

export function parseFormBody(request: FastifyRequest): URLSearchParams {
  const type = String(request.headers["content-type"] ?? "").split(";")[0];
  if (request.body === undefined || request.body === null) return new URLSearchParams();
  if (!Buffer.isBuffer(request.body) || type?.trim().toLowerCase() !== "application/x-www-form-urlencoded")
    throw new BadRequest("The form could not be read");
  return parseSmallForm(request.body.toString("utf8"));
}

/** The JSON object of the session interface; an empty body is an empty object. */
export function parseJsonBody(request: FastifyRequest): Record<string, unknown> {
  if (request.body === undefined || request.body === null) return {};
  if (!Buffer.isBuffer(request.body)) throw new BadRequest("The body must be JSON");
  const text = request.body.toString("utf8").trim();
  if (text === "") return {};
  return parseJson(text);
}
