import type { FastifyRequest } from "fastify";
import { BadRequest } from "../base/errors.ts";

/** The fields of a submitted form. */
export function formBody(request: FastifyRequest): URLSearchParams {
  const type = String(request.headers["content-type"] ?? "").split(";")[0];
  if (request.body === undefined || request.body === null) return new URLSearchParams();
  if (!Buffer.isBuffer(request.body) || type?.trim().toLowerCase() !== "application/x-www-form-urlencoded")
    throw new BadRequest("The form could not be read");
  return new URLSearchParams(request.body.toString("utf8"));
}

/** An object of the JSON interface; nothing sent is an empty one. */
export function jsonBody(request: FastifyRequest): Record<string, unknown> {
  if (request.body === undefined || request.body === null) return {};
  if (!Buffer.isBuffer(request.body)) throw new BadRequest("The body must be JSON");
  const text = request.body.toString("utf8").trim();
  if (text === "") return {};
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    throw new BadRequest("Invalid JSON string posted");
  }
  if (typeof value !== "object" || value === null || Array.isArray(value))
    throw new BadRequest("The body must be a JSON object");
  return value as Record<string, unknown>;
}
