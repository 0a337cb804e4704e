import { expect, test } from "vitest";
import { automation } from "../support/records/automation-rules.ts";
import { requestHelpers } from "../support/records/requests.ts";
import { serviceDeskTeam } from "../support/records/workflows-and-projects.ts";
import { world } from "../support/world.ts";

// One change publishes one set of events per save, and no extra event for archive and trash.

const here = await world();
const { admin, request, loadEvents } = requestHelpers(here);
const { rule, settled, get, patched } = automation(here);

test("EV5: archive, trash and restore fire the update event", async () => {
  const { path, id } = await request({ team_id: serviceDeskTeam, status: "completed" });
  for (const move of ["archive", "trash", "restore"]) await admin.post(`${path}/${move}`, {});
  const update = "request.update";
  expect(await loadEvents("request", id)).toEqual(["request.create", update, update, update]);
});

test("AC11: assignments to one target and the note after them are one save", async () => {
  const asked = await request();
  const actions = "a1: set subject = 'Renamed'\na2: set impact = high\na3: add note 'Both in one save'";
  await rule({ name: "One save", request_id: asked.id, actions });
  await patched(asked.path, { status: "accepted", team_id: serviceDeskTeam, member_id: 3 });
  await settled();
  const lines = await get(`${asked.path}/audit`);
  expect(lines[0].changes).toMatchObject({ subject: [asked.subject, "Renamed"], impact: [null, "high"] });
  expect((await loadEvents("request", asked.id)).slice(-2)).toEqual(["request.note-added", "request.update"]);
});
