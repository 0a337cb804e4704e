import { describe, expect, test } from "vitest";
import { describeErrors } from "../support/replies.ts";
import { tokenFor } from "../support/seed.ts";
import { world } from "../support/world.ts";

// AR1 to AR11, tested with specimens and people.

const { as, clock, sql, withToken } = await world();
const admin = as("administrator");

async function createSpecimen(members: Record<string, unknown> = {}) {
  const { status, body, text } = await admin.post("/specimens", { subject: "s", ...members });
  if (status !== 200) throw new Error(text);
  return { ...body, path: `/specimens/${body.id}` };
}

describe("archive, trash, restore", () => {
  const createCompleted = () => createSpecimen({ status: "completed" });

  test("AR1, AR2, CO13: only administrators archive and trash records, only completed ones, by a call without a body", async () => {
    const { path } = await createSpecimen();
    for (const move of ["archive", "trash"]) {
      expect((await as("specialist").post(`${path}/${move}`)).status).toBe(403);
      expect(describeErrors(await admin.post(`${path}/${move}`))).toEqual(["status: Status is not valid"]);
    }
    for (const body of [undefined, "", "{}"]) {
      const done = await createCompleted();
      const { status, body: record } = await admin.post(`${done.path}/archive/`, body, {
        "Content-Type": "application/json",
      });
      const { path: _, ...before } = done;
      expect([status, record]).toEqual([200, { ...before, archived: true }]);
    }
    const { body } = await admin.post(`${(await createCompleted()).path}/trash`);
    expect([body.trashed, "archived" in body]).toEqual([true, false]);
  });

  test("AR3 to AR6: a record moves from archive to trash and back, and restoring it keeps its former state", async () => {
    const { path } = await createCompleted();
    expect(describeErrors(await admin.post(`${path}/restore`))).toEqual(["base: Record is not archived or trashed"]);
    for (const [move, archived, trashed] of [
      ["archive", true, undefined],
      ["trash", undefined, true],
      ["archive", true, undefined],
      ["restore", undefined, undefined],
    ]) {
      const { status, body } = await admin.post(`${path}/${move}`);
      expect([status, body.archived, body.trashed]).toEqual([200, archived, trashed]);
    }
  });

  test("AR7, AR8: archived and trashed records are in no collection, readable only by administrators, and read-only", async () => {
    const { path, id } = await createCompleted();
    await admin.post(`${path}/archive`);
    expect((await admin.get(`/specimens?id=${id}`)).text).toBe("[]");
    expect((await admin.get(path)).body.archived).toBe(true);
    for (const role of ["specialist", "auditor"] as const) expect((await as(role).get(path)).status).toBe(403);
    expect((await as("stranger").get(path)).status).toBe(404);
    expect(describeErrors(await admin.patch(path, { subject: "x" }))).toEqual(["base: Record is archived"]);
    await admin.post(`${path}/trash`);
    expect(describeErrors(await admin.patch(path, { subject: "x" }))).toEqual(["base: Record is trashed"]);
  });

  test("AR8 applies to an archived record's children and links, too", async () => {
    const { path } = await createCompleted();
    await admin.post(`${path}/archive`);
    for (const call of [admin.post(`${path}/spots`, { name: "x" }), admin.post(`${path}/helpers/3`)])
      expect((await call).status).toBe(422);
  });

  test("a trashed record can't be referenced or linked", async () => {
    const email = "away@widget.example";
    const { body } = await admin.post("/people", { name: "Away", primary_email: email, disabled: true });
    await admin.post(`/people/${body.id}/trash`);
    expect(describeErrors(await admin.post("/specimens", { subject: "s", owner_id: body.id }))).toEqual([
      "owner: Owner is not valid",
    ]);
    expect([404, 422]).toContain((await admin.post(`/teams/1/members/${body.id}`)).status);
  });

  test("AR11: the lists /archive and /trash show the archived and trashed records", async () => {
    const { path, id } = await createSpecimen({ status: "completed", subject: "listed" });
    await admin.post(`${path}/archive`);
    const { body } = await admin.get("/archive?per_page=1");
    expect(body[0]).toEqual({
      id: expect.any(Number),
      nodeID: expect.any(String),
      archived: "specimen",
      specimen: { id, href: path, display_name: `${id} listed` },
      archived_by: expect.objectContaining({ id: 1 }),
      created_at: expect.any(String),
    });
    expect((await admin.get(`/archive/${body[0].id}`)).body).toEqual(body[0]);
    await admin.post(`${path}/trash`);
    expect((await admin.get(`/archive/${body[0].id}`)).status).toBe(404);
    const { body: trash } = await admin.get("/trash?per_page=1");
    expect(trash[0]).toMatchObject({ trashed: "specimen", specimen: { id }, trashed_by: { id: 1 } });
    for (const list of ["/archive", "/trash"]) {
      expect((await as("specialist").get(list)).status).toBe(403);
      expect((await admin.post(list, {})).status).toBe(404);
    }
  });

  test("AR9: a record that was in the trash for 28 days is erased with everything that belongs to it", async () => {
    const { body: person } = await admin.post("/people", {
      name: "Gone",
      primary_email: "gone@widget.example",
    });
    const phone = "+31 20 555 0101";
    expect((await admin.post(`/people/${person.id}/contacts`, { label: "work", telephone: phone })).status).toBe(201);
    await admin.patch(`/people/${person.id}`, { disabled: true });
    const { path } = await createSpecimen({ status: "completed" });
    await admin.post(`${path}/spots`, { name: "of it" });
    const restored = await createCompleted();
    for (const away of [`/people/${person.id}`, path, restored.path])
      expect((await admin.post(`${away}/trash`)).status).toBe(200);
    await clock.pass(27 * 86_400);
    expect((await admin.get(path)).body.trashed).toBe(true);
    expect((await admin.post(`${restored.path}/restore`)).status).toBe(200);
    await clock.pass(2 * 86_400);
    for (const away of [`/people/${person.id}`, path]) {
      expect((await admin.get(away)).status).toBe(404);
      expect((await admin.post(`${away}/restore`)).status).toBe(404);
    }
    expect((await admin.get(restored.path)).status).toBe(200);
    expect(await sql("SELECT id FROM contacts WHERE telephone = $1", [phone])).toEqual([]);
    expect(await sql("SELECT id FROM spots WHERE name = 'of it'")).toEqual([]);
    expect(
      (await admin.get("/trash?per_page=100")).body.filter(
        (row: { person?: { id: number } }) => row.person?.id === person.id,
      ),
    ).toEqual([]);
  });

  test("a person must be disabled before going to the trash, and can't call the API from there", async () => {
    const { body } = await admin.post("/people", { name: "Leaver", primary_email: "leaver@widget.example" });
    expect(describeErrors(await admin.post(`/people/${body.id}/trash`))).toEqual([
      "disabled: Disabled must be disabled first",
    ]);
    expect((await withToken(tokenFor("specialist")).get("/me")).status).toBe(200);
    await admin.patch("/people/3", { disabled: true });
    expect((await withToken(tokenFor("specialist")).get("/me")).status).toBe(401);
    await admin.patch("/people/3", { disabled: false });
  });
});
