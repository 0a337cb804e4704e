import { expect, test } from "vitest";
import { requestHelpers } from "../support/records/requests.ts";
import { describeErrors } from "../support/replies.ts";
import { world } from "../support/world.ts";

// Major incidents: MI1 to MI11.

const here = await world();
const { as, sql } = here;
const { admin, create, request, loadEvents, mails } = requestHelpers(here);
const [specialist, manager] = [as("specialist"), as("manager")];
const wrong = ["major_incident_status: Major incident status is not valid"];
const createIncident = (members: Record<string, unknown> = {}) =>
  request({ category: "incident", impact: "top", ...members });
const setStatus = async (path: string, major_incident_status: string | null, by = manager) =>
  describeErrors(await by.patch(path, { major_incident_status }));

test("MI11: an account without managers of major incidents has no major incidents", async () => {
  const { path } = await createIncident();
  expect(await setStatus(path, "proposed", specialist)).toEqual(wrong);
});

test("MI11: service desk managers manage major incidents while no manager is named", async () => {
  await admin.post("/people/9/permissions/widget-it?roles=service_desk_manager");
  const { path } = await createIncident();
  expect(await setStatus(path, "proposed", specialist)).toBe(200);
  expect(await setStatus(path, "accepted")).toBe(200);
  await admin.delete("/people/9/permissions/widget-it?roles=service_desk_manager");
  const agreement = await create("flsa");
  await admin.post(`/flsas/${agreement.id}/major_incident_managers/9`);
  await sql("UPDATE flsas SET status = 'active' WHERE id = $1", [agreement.id]);
});

test("MI1: any specialist proposes an open incident of top impact, which adds an internal note and sends an email", async () => {
  const { path, id } = await createIncident();
  expect(await setStatus(path, "proposed", specialist)).toBe(200);
  expect((await admin.get(`${path}/notes`)).body).toMatchObject([
    { internal: true, medium: "system", text: "Sam Specialist proposed this request as a major incident." },
  ]);
  expect((await mails()).at(-1)).toEqual({
    recipient: "mia@widget.example",
    subject: expect.stringContaining(`Request ${id}: major incident Proposed`),
  });
  expect(await loadEvents("request", id)).toEqual([
    "request.create",
    "request.note-added",
    "request.major-incident-status-changed",
    "request.update",
  ]);
});

test("MI1: an incident can't be proposed with another impact or category, or when completed", async () => {
  for (const members of [{ impact: "high" }, { category: "rfc" }, { status: "completed" }]) {
    const { path } = await createIncident(members);
    expect(await setStatus(path, "proposed", specialist), JSON.stringify(members)).toEqual(wrong);
  }
});

test("MI2 to MI7: decisions of a manager of major incidents", async () => {
  const { path } = await createIncident();
  for (const status of ["proposed", "rejected", "proposed", "accepted", "resolved", "accepted", "canceled", "proposed"])
    expect(await setStatus(path, status), status).toBe(200);
  expect(await setStatus(path, "canceled")).toBe(200);
  const { path: at_once } = await createIncident();
  expect(await setStatus(at_once, "accepted")).toBe(200);
});

test("MI2 to MI6: other people can't decide", async () => {
  const { path } = await createIncident();
  await setStatus(path, "proposed", specialist);
  for (const status of ["accepted", "rejected", "canceled"])
    for (const by of [specialist, admin]) expect(await setStatus(path, status, by), status).toEqual(wrong);
});

test("MI7: a resolved major incident can be accepted again only while the request is open", async () => {
  const { path } = await createIncident();
  await setStatus(path, "accepted");
  await setStatus(path, "resolved");
  await admin.patch(path, { status: "completed" });
  expect(await setStatus(path, "accepted")).toEqual(wrong);
});

test("MI8: completing the request resolves it", async () => {
  const { path } = await createIncident();
  await setStatus(path, "accepted");
  expect((await admin.patch(path, { status: "completed" })).body.major_incident_status).toBe("resolved");
});

test("MI9: only an administrator can remove the status", async () => {
  const { path } = await createIncident();
  await setStatus(path, "accepted");
  expect(await setStatus(path, null)).toEqual(wrong);
  expect(await setStatus(path, null, admin)).toBe(200);
});

test("MI10: all other transitions are rejected", async () => {
  const { path } = await createIncident();
  for (const status of ["rejected", "resolved", "canceled"])
    expect(await setStatus(path, status), status).toEqual(wrong);
  await setStatus(path, "accepted");
  for (const status of ["proposed", "rejected"]) expect(await setStatus(path, status), status).toEqual(wrong);
});
