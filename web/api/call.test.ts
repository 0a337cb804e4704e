import { expect, test } from "vitest";
import { ApiError, readJson } from "./call.ts";

const responseWith = (chunk: string, failure: Error | null) =>
  new Response(
    new ReadableStream({
      start(controller) {
        controller.enqueue(new TextEncoder().encode(chunk));
        if (failure === null) controller.close();
        else controller.error(failure);
      },
    }),
  );

test("a connection that breaks within a response counts as no response, so the call can be retried", async () => {
  const read = readJson(Promise.resolve(responseWith('{"id":', new TypeError("network error"))));
  await expect(read).rejects.toMatchObject({ constructor: ApiError, status: 0 });
});

test("a response that isn't JSON doesn't count as a lost connection", async () => {
  await expect(readJson(Promise.resolve(responseWith("<html>", null)))).rejects.toBeInstanceOf(SyntaxError);
});
