import { Socket } from "node:net";
import { expect, test } from "vitest";
import type { Api } from "../../../server/api/http/pipeline.ts";
import { refuseMalformedRequest } from "../../../server/api/http/raw-http.ts";

test("D-262: a connection that sends noise gets one refusal and is no longer read", () => {
  const [counted, delayed]: [string[], (() => void)[]] = [[], []];
  const count = (key: string) => {
    counted.push(key);
    return { limit: 10, remaining: 9, reset: 0 };
  };
  const api = {
    limiter: { local: { count } },
    admission: { delayRefusalAt: (_: string, answer: () => void) => delayed.push(answer) },
  } as unknown as Api;
  const socket = new Socket();
  for (let packet = 0; packet < 16; packet++)
    refuseMalformedRequest(api, () => "id", { code: "HPE_INVALID_METHOD" }, socket);
  expect([counted.length, delayed.length, socket.isPaused()]).toEqual([1, 1, true]);
});
