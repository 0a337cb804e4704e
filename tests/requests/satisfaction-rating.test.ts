import { describe, expect, test } from "vitest";
import { requestHelpers } from "../support/records/requests.ts";
import { describeErrors } from "../support/replies.ts";
import { world } from "../support/world.ts";

// Satisfaction: SA1 to SA4.

const here = await world();
const { as, clock, url } = here;
const { admin, request, load, texts, mails } = requestHelpers(here);
const [requester, contact] = [as("requester", { language: "en-US" }), as("keyContact")];
const [rita, kim] = [5, 6];

const createCompleted = (members: Record<string, unknown> = {}) =>
  request({ requested_by_id: rita, status: "completed", ...members });

describe("the links", () => {
  test("SA1: are null unless the request is completed, and a pair for each requester who can still answer", async () => {
    expect((await request({ requested_by_id: rita })).feedback).toBeNull();
    const one = await createCompleted();
    expect(Object.keys(one.feedback)).toEqual(["requested_for"]);
    expect(one.feedback.requested_for).toEqual({
      satisfied_url: expect.stringMatching(`^${url}/feedback/`),
      dissatisfied_url: expect.stringMatching(`^${url}/feedback/`),
    });
    const two = await createCompleted({ requested_for_id: kim });
    expect(Object.keys(two.feedback)).toEqual(["requested_for", "requested_by"]);
    await requester.post(`${two.path}/satisfied`);
    expect(Object.keys((await load(two.path)).feedback)).toEqual(["requested_for"]);
    await contact.post(`${two.path}/satisfied`);
    expect((await load(two.path)).feedback).toBeNull();
  });

  test("SA1: expire after 28 days, and when the request is reopened", async () => {
    const { path } = await createCompleted();
    await clock.pass(28 * 86_400);
    expect((await load(path)).feedback).not.toBeNull();
    await clock.pass(1);
    expect((await load(path)).feedback).toBeNull();
    expect((await requester.post(`${path}/satisfied`)).status).toBe(304);
    const other = await createCompleted();
    const { satisfied_url } = other.feedback.requested_for;
    await admin.patch(other.path, { status: "assigned" });
    expect((await fetch(satisfied_url)).status).toBe(404);
    await admin.patch(other.path, { status: "completed" });
    expect((await fetch(satisfied_url)).status).toBe(404);
  });

  test("ask for confirmation, and record the answer of the person they were created for", async () => {
    const { path, feedback } = await createCompleted();
    const { satisfied_url, dissatisfied_url } = feedback.requested_for;
    expect((await fetch(satisfied_url)).status).toBe(200);
    expect((await load(path)).satisfaction).toBeNull();
    const form = (url: string, body: string) =>
      fetch(url, { method: "POST", body, headers: { "Content-Type": "application/x-www-form-urlencoded" } });
    expect((await form(dissatisfied_url, "note=+")).status).toBe(422);
    expect((await form(dissatisfied_url, "note=No&reopen=true")).status).toBe(200);
    expect(await load(path)).toMatchObject({ status: "assigned", satisfaction: "dissatisfied", reopen_count: 1 });
    expect((await admin.get(`${path}/notes`)).body).toMatchObject([{ text: "No", person: { id: rita } }]);
    expect((await form(satisfied_url, "")).status).toBe(404);
  });

  test("are invalid if modified", async () => {
    const { feedback } = await createCompleted();
    const address: string = feedback.requested_for.satisfied_url;
    for (const wrong of [
      address.replace("/satisfied/", "/dissatisfied/"),
      address.replace(`/${rita}/`, `/${kim}/`),
      `${address.slice(0, -1)}${address.endsWith("0") ? 1 : 0}`,
      address.replace(/\/\d+\//, "/999999999999/"),
    ])
      expect((await fetch(wrong)).status, wrong).toBe(404);
  });
});

describe("the answer", () => {
  test("SA2: the first one counts until the request is reopened", async () => {
    const { path } = await createCompleted({ requested_for_id: kim });
    expect((await requester.post(`${path}/satisfied`)).status).toBe(204);
    expect((await requester.post(`${path}/dissatisfied`, { note: "No" })).status).toBe(304);
    expect((await contact.post(`${path}/dissatisfied`, { note: "Well" })).status).toBe(204);
    expect((await load(path)).satisfaction).toBe("satisfied");
    await admin.patch(path, { status: "assigned" });
    await admin.patch(path, { status: "completed" });
    expect((await requester.post(`${path}/dissatisfied`, { note: "No" })).status).toBe(204);
    expect((await load(path)).satisfaction).toBe("dissatisfied");
  });

  test("SA4: is rejected with 304 for an open request and for other people, and with 403 for people who may not read it", async () => {
    const open = await request({ requested_by_id: rita });
    expect((await requester.post(`${open.path}/satisfied`)).status).toBe(304);
    const { path } = await createCompleted();
    expect((await admin.post(`${path}/satisfied`)).status).toBe(304);
    const foreign = await request({ status: "completed" });
    expect((await requester.post(`${foreign.path}/satisfied`)).status).toBe(403);
    expect((await as("stranger").post(`${foreign.path}/satisfied`)).status).toBe(404);
  });

  test("SA4: dissatisfied requires a note, which is added; with reopen the request is assigned again", async () => {
    const { path } = await createCompleted();
    expect(describeErrors(await requester.post(`${path}/dissatisfied`, {}))).toEqual(["note: Note can't be blank"]);
    expect((await requester.post(`${path}/dissatisfied`, { note: "Still broken", reopen: true })).status).toBe(204);
    expect(await load(path)).toMatchObject({ status: "assigned", satisfaction: "dissatisfied", reopen_count: 1 });
    expect(await texts(path)).toEqual(["Still broken"]);
  });

  test("SA3: doesn't change the status, notifies the service desk managers, and can be addressed by one", async () => {
    await admin.post("/people/9/permissions/widget-it?roles=service_desk_manager");
    const { path, id } = await createCompleted();
    const manager = as("manager");
    expect(describeErrors(await manager.patch(path, { addressed: true }))).toEqual([
      "addressed: Addressed is not valid",
    ]);
    await requester.post(`${path}/dissatisfied`, { note: "No" });
    expect((await load(path)).status).toBe("completed");
    expect((await mails()).at(-1)).toEqual({
      recipient: "mia@widget.example",
      subject: expect.stringContaining(`Request ${id}: requester is dissatisfied`),
    });
    expect((await manager.patch(path, { addressed: true })).body.addressed).toBe(true);
  });
});
