import { describe, expect, test } from "vitest";
import { RequestBodies } from "../support/records/request-bodies.ts";
import { describeErrors } from "../support/replies.ts";
import { world } from "../support/world.ts";

// Apps, UI extensions and custom collections.

const { as, service, sql } = await world();
const admin = as("administrator");
const types = service.engine.types;
const bodies = new RequestBodies(admin, types);

describe("UI extensions", () => {
  const createExtension = async (members: Record<string, unknown> = {}) => {
    const { status, body } = await admin.post("/ui_extensions", { name: "Form", category: "person", ...members });
    expect(status).toBe(201);
    return { ...body, path: `/ui_extensions/${body.id}` };
  };
  const versions = async (path: string) =>
    (await admin.get(`${path}/versions`)).body.map((row: { version_nr: number; status: string }) => [
      row.version_nr,
      row.status,
    ]);

  test("a new extension has a prepared version with its content, and no active content", async () => {
    const made = await createExtension({ html: "<p>One</p>", css: "p {}" });
    expect(made).toMatchObject({ html: null, css: null, active_version: null, phrases: [] });
    expect(made.prepared_version).toMatchObject({ name: "Form", version: 1 });
    expect(made.activate).toBe(false);
    expect(made.created_by.id).toBe(1);
    const { body } = await admin.get(`${made.path}/versions/${made.prepared_version.id}`);
    expect(body).toMatchObject({
      version_nr: 1,
      status: "being_prepared",
      html: "<p>One</p>",
      localized_html: "<p>One</p>",
      css: "p {}",
      compiled_css: "p {}",
      activated_at: null,
      use_designer: false,
      ui_extension: { id: made.id },
    });
    expect(body).not.toHaveProperty("version");
  });

  test("activate makes the prepared version active, archives the former one and prepares the next", async () => {
    const { path } = await createExtension({ html: "<p>One</p><b>Two</b>" });
    const first = (await admin.patch(path, { activate: true })).body;
    expect(first).toMatchObject({ html: "<p>One</p><b>Two</b>", localized_html: "<p>One</p><b>Two</b>" });
    expect(first.phrases).toEqual(["One", "Two"]);
    expect([first.active_version.version, first.prepared_version.version]).toEqual([1, 2]);

    const written = (await admin.patch(path, { html: "<p>Three</p>", title: "Details" })).body;
    expect(written).toMatchObject({ html: "<p>One</p><b>Two</b>", title: "Details", localized_title: "Details" });
    expect((await admin.get(`${path}/versions/${written.prepared_version.id}`)).body.html).toBe("<p>Three</p>");

    const second = (await admin.patch(path, { activate: true, javascript: "run()" })).body;
    expect(second).toMatchObject({ html: "<p>Three</p>", javascript: "run()", phrases: ["Three"] });
    expect(await versions(path)).toEqual([
      [1, "archived"],
      [2, "active"],
      [3, "being_prepared"],
    ]);
    const old = (await admin.get(`${path}/versions/${first.active_version.id}`)).body;
    expect(old).toMatchObject({ html: "<p>One</p><b>Two</b>", archived_at: expect.any(String) });
  });

  test("an extension can be active from the start", async () => {
    const made = await createExtension({ html: "<i>x</i>", form_definition_json: '{"fields":[]}', activate: true });
    expect(made).toMatchObject({ html: "<i>x</i>", form_definition_json: '{"fields":[]}', phrases: ["x"] });
    expect(await versions(made.path)).toEqual([
      [1, "active"],
      [2, "being_prepared"],
    ]);
  });

  test("the audit trail records changes of the prepared version", async () => {
    const { path } = await createExtension({ html: "<p>One</p>" });
    await admin.patch(path, { html: "<p>Two</p>" });
    const [changed, created] = (await admin.get(`${path}/audit`)).body;
    expect(created.changes.html).toEqual([null, "<p>One</p>"]);
    expect(changed.changes.html).toEqual(["<p>One</p>", "<p>Two</p>"]);
  });

  test("a new name is applied to its versions, too, and the record shows who changed it", async () => {
    const { path } = await createExtension();
    const { body } = await as("administrator").patch(path, { name: "Renamed" });
    expect(body).toMatchObject({ prepared_version: { name: "Renamed" }, updated_by: { id: 1 } });
  });

  test("versions are read-only", async () => {
    const { path, prepared_version } = await createExtension();
    expect((await admin.post(`${path}/versions`, {})).status).toBe(404);
    expect((await admin.patch(`${path}/versions/${prepared_version.id}`, { html: "x" })).status).toBe(404);
    expect((await admin.get("/ui_extension_versions")).status).toBe(404);
  });

  test("a category's active extension applies to all records of its account while it is enabled", async () => {
    const load = async () => (await admin.get("/teams/1?fields=ui_extension")).body.ui_extension;
    const foreignExtension = await as("stranger").post("/ui_extensions", {
      name: "Theirs",
      category: "team",
      activate: true,
    });
    expect(foreignExtension.status).toBe(201);
    await createExtension({ category: "site", activate: true });
    const { id, name, nodeID, path } = await createExtension({ category: "team" });
    expect(await load()).toBeNull();
    await admin.patch(path, { activate: true });
    expect(await load()).toMatchObject({ id, name, nodeID });
    expect((await admin.get("/teams?id=1&fields=ui_extension")).body[0].ui_extension.id).toBe(id);
    await admin.patch(path, { disabled: true });
    expect(await load()).toBeNull();
  });

  test("category must be in the list", async () => {
    expect(describeErrors(await admin.post("/ui_extensions", { name: "F", category: "bogus" }))).toEqual([
      expect.stringMatching(/^category: /),
    ]);
  });
});

describe("app offerings", () => {
  const postOffering = async (members: Record<string, unknown> = {}) =>
    bodies.post(types.get("app_offering"), { policy_jwt_alg: "rs256", ...members });

  test("the default reference is made of account and name, and stays the same when the name changes", async () => {
    const { status, body } = await postOffering({ name: "Room Booking" });
    expect([status, body.reference]).toEqual([201, "widget-it_room_booking"]);
    const renamed = await admin.patch(`/app_offerings/${body.id}`, { name: "Rooms" });
    expect(renamed.body.reference).toBe("widget-it_room_booking");
    expect((await admin.patch(`/app_offerings/${body.id}`, { reference: "rooms" })).body.reference).toBe("rooms");
  });

  test("a reference is unique across all accounts", async () => {
    const { body } = await postOffering({ reference: "one_of_a_kind" });
    expect(describeErrors(await postOffering({ reference: "One_of_a_kind" }))).toEqual([
      "reference: Reference has already been taken",
    ]);
    await sql("UPDATE app_offerings SET account_id = 'stranger' WHERE id = $1", [body.id]);
    expect(describeErrors(await postOffering({ reference: "one_of_a_kind" }))).toEqual([
      "reference: Reference has already been taken",
    ]);
  });

  test("publishing fixes the reference and ends the draft state", async () => {
    const { body } = await postOffering({ name: "Published" });
    const at = async (view: string) =>
      (await admin.get(`/app_offerings/${view}?per_page=100`)).body.map(({ id }: { id: number }) => id);
    expect(await at("latest_internal")).toContain(body.id);
    await sql("UPDATE app_offerings SET published_at = created_at WHERE id = $1", [body.id]);
    expect(describeErrors(await admin.patch(`/app_offerings/${body.id}`, { reference: "other" }))).toEqual([
      "reference: Reference cannot be changed",
    ]);
    expect(await at("latest_internal")).not.toContain(body.id);
    expect(await at("latest_published")).toContain(body.id);
    expect(await at("all_latest_published")).toContain(body.id);
    expect(await at("consumed")).not.toContain(body.id);
    const instance = await admin.post("/app_instances", { app_offering_id: body.id });
    expect(instance.body).toMatchObject({
      customer_account: { id: "widget-it" },
      app_offering: { id: body.id, reference: "widget-it_published" },
      suspended: false,
      enabled_by_customer: null,
    });
    expect(await at("consumed")).toContain(body.id);
    expect((await admin.get(`/app_offerings/${body.id}/app_instances`)).body).toMatchObject([{ id: instance.body.id }]);
  });

  test("a disabled offering accepts no new installations", async () => {
    const { body } = await postOffering({ disabled: true });
    expect(describeErrors(await admin.post("/app_instances", { app_offering_id: body.id }))).toEqual([
      "app_offering: App offering is not valid",
    ]);
    expect(describeErrors(await admin.post("/app_instances", {}))).toEqual([
      "app_offering: App offering can't be blank",
    ]);
  });

  test("an offering lists its scopes", async () => {
    const { body } = await postOffering();
    await sql(
      "INSERT INTO app_offering_scopes (account_id, app_offering_id, effect, actions, conditions, created_at, updated_at) VALUES ('widget-it', $1, 'allow', '{request:Read}', '{}', now(), now())",
      [body.id],
    );
    const list = (await admin.get(`/app_offerings/${body.id}/scopes`)).body;
    expect(list).toEqual([{ id: list[0].id, nodeID: expect.any(String), effect: "allow", actions: ["request:Read"] }]);
    expect((await admin.get(`/app_offerings/${body.id}/scopes/${list[0].id}`)).body.conditions).toEqual([]);
    expect((await admin.post(`/app_offerings/${body.id}/scopes`, {})).status).toBe(404);
  });
});

describe("custom collections", () => {
  const postCollection = async (members: Record<string, unknown>) => admin.post("/custom_collections", members);

  // biome-ignore format: a table keeps its columns
  test.each([
    ["Meeting Rooms",      "meeting_rooms"],
    ["X Y - Z",            "x_y_z"],
    ["Größe & Farbe (EU)", "größe_farbe_eu_"],
  ])("the reference of %j is %j", async (name, reference) => {
    expect((await postCollection({ name })).body.reference).toBe(reference);
  });

  test("references are unique in the account, those of elements in their collection", async () => {
    const one = (await postCollection({ name: "Colours" })).body;
    const other = (await postCollection({ name: "Shades" })).body;
    expect(describeErrors(await postCollection({ name: "colours" }))).toEqual([
      "reference: Reference has already been taken",
    ]);
    const red = { custom_collection: "colours", name: "Red" };
    const made = await admin.post("/custom_collection_elements", red);
    expect(made.body).toMatchObject({ custom_collection: "colours", reference: "red", localized_name: "Red" });
    expect(describeErrors(await admin.post("/custom_collection_elements", red))).toEqual([
      "reference: Reference has already been taken",
    ]);
    const elsewhere = await admin.post("/custom_collection_elements", { custom_collection_id: other.id, name: "Red" });
    expect(elsewhere.body).toMatchObject({ custom_collection: "shades", reference: "red" });
    const moved = await admin.patch(`/custom_collection_elements/${made.body.id}`, { custom_collection: "shades" });
    expect([moved.body.custom_collection, moved.headers.get("X-Ignored-Fields")]).toEqual([
      "colours",
      "custom_collection",
    ]);
    expect((await admin.get(`/custom_collections/${one.id}/collection_elements`)).body).toMatchObject([
      { id: made.body.id },
    ]);
    expect(
      describeErrors(await admin.post("/custom_collection_elements", { custom_collection: "none", name: "X" })),
    ).toEqual([expect.stringMatching(/^custom_collection: /)]);
    expect(describeErrors(await admin.post("/custom_collection_elements", { name: "X" }))).toEqual([
      "custom_collection: Custom collection can't be blank",
    ]);
  });
});
