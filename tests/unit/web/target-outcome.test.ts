import { createElement } from "react";
import { renderToStaticMarkup } from "react-dom/server";
import { beforeAll, expect, test } from "vitest";
import { enumerations } from "../../../records/enumerations/index.ts";
import { words as en } from "../../../web/languages/en/index.ts";
import { adoptWords } from "../../../web/languages/index.ts";
import { getPageParts } from "../../../web/workspace/work-item/page-parts.ts";
import { pickShownTarget } from "../../../web/workspace/work-item/side/current-target.ts";
import { TargetCard } from "../../../web/workspace/work-item/side/target-card.tsx";

// How the target card of a finished record presents the target.

beforeAll(() => adoptWords(en, "en-GB"));

const target = "2026-11-17T10:00:00Z";
const [early, late] = ["2026-11-17T09:00:00Z", "2026-11-17T10:00:01Z"];
type Sla = Parameters<typeof pickShownTarget>[2][number];
const buildSlas = (...verdicts: (boolean | null)[]) =>
  verdicts.map((met) => ({ accountability: "provider", resolution: { met } }) as Sla);

function render(type: string, given: Record<string, unknown>, slas: readonly Sla[] = []): string {
  const row = { id: 1, ...given };
  const shown = pickShownTarget(row, getPageParts(type), slas);
  return renderToStaticMarkup(createElement(TargetCard, { row, ...shown, explained: undefined }));
}
const request = { status: "completed", next_target_at: null, resolution_target_at: target };

test("a request completed late shows a missed target, one completed in time a met target", () => {
  expect(render("request", { ...request, completed_at: late })).toMatch(/data-tone="red".*Finished late.*Target: /);
  expect(render("request", { ...request, completed_at: early })).toMatch(/data-tone="green".*Finished on time/);
  // A later completion date requested by the requester replaces the agreement's target.
  const wish = { desired_completion_at: "2026-11-18T10:00:00Z" };
  expect(render("request", { ...request, ...wish, completed_at: late })).toMatch(/data-tone="green"/);
});

test("the server's verdict on every affected SLA decides", () => {
  expect(render("request", { ...request, completed_at: early }, buildSlas(true, false))).toMatch(/data-tone="red"/);
  expect(render("request", { ...request, completed_at: late }, buildSlas(true, null))).toMatch(/data-tone="green"/);
});

test("work without a target shows neither outcome, and neither does canceled work", () => {
  const nothing = { ...request, resolution_target_at: null, completed_at: late };
  expect(render("request", nothing)).toMatch(/data-tone="grey".*Completed(?! )/);
  const canceled = { status: "canceled", completion_target_at: target, completed_at: early };
  expect(render("release", canceled)).toMatch(/data-tone="grey".*Completed(?! )/);
});

test("the same holds for problems and releases", () => {
  const problem = { status: "solved", analysis_target_at: target };
  expect(render("problem", { ...problem, solved_at: late })).toMatch(/data-tone="red".*Finished late/);
  expect(render("problem", { ...problem, solved_at: early })).toMatch(/data-tone="green".*Finished on time/);
  expect(render("release", { status: "completed", completion_target_at: target, completed_at: late })).toMatch(
    /data-tone="red"/,
  );
});

test("the clock runs in every status except completed, also for a declined request", () => {
  for (const status of enumerations["request.status"]) {
    if (status === "completed") continue;
    const open = { status, next_target_at: "2020-01-01T00:00:00Z", resolution_target_at: target, completed_at: null };
    expect(render("request", open), status).toMatch(/data-tone="red".*role="timer"/);
  }
});
