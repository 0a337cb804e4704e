import type { FastifyReply, FastifyRequest } from "fastify";
import type { Identity } from "../../../oauth/identities.ts";
import { getClientAddress } from "../origin.ts";
import type { Api } from "../pipeline.ts";
import type { Route } from "../route.ts";

/** The facts about a call that the pipeline knows at its response. */
export type AnsweredRequest = {
  /** known also where the call was refused */
  caller: Identity | null;
  account: string | null;
  started: number;
  /** of an error */
  answered: string | null;
  match: { route: Pick<Route, "isRoutine"> } | null;
};

/** Successful routine calls by browsers are not logged: a page makes many of them, and they are not useful in the log. */
const isLeftOut = ({ isSession }: Identity, isRoutine: boolean, status: number): boolean =>
  isSession && status < 400 && isRoutine;

/** Adds an answered call to the log. */
export function logRequest(api: Api, request: FastifyRequest, reply: FastifyReply, state: AnsweredRequest): void {
  const { caller } = state;
  const { statusCode: status } = reply;
  // Drafts are for the eyes of their authors: what was sent to such a route is not logged.
  const isPrivate = state.match?.route.isRoutine === true;
  const isRoutine = isPrivate || request.method === "GET" || request.method === "HEAD";
  if (caller === null || isLeftOut(caller, isRoutine, status) || !api.requestLog.hasRoomFor(status)) return;
  const isJson = /json/i.test(request.headers["content-type"] ?? "");
  api.requestLog.add({
    ...{ account: state.account ?? caller.person.account, at: api.engine.clock.now(), method: request.method, status },
    ...{ url: request.originalUrl, milliseconds: performance.now() - state.started, requestId: request.id },
    ...{ person: caller.person.id, token: caller.tokenId, isSession: caller.isSession },
    address: getClientAddress(api.configuration, request.raw),
    sent:
      status >= 400 && isJson && !isPrivate && Buffer.isBuffer(request.body)
        ? request.body.subarray(0, 16_384).toString("utf8")
        : null,
    answered: state.answered,
  });
}
