import { expect, test } from "vitest";
import { world } from "../support/world.ts";

// Account widget-it is owned by Ada; four people hold billable roles there from the beginning, Kim is a key contact.

const { as, clock } = await world();
const owner = as("administrator");
const idsIn = async (id: number) => (await owner.get(`/account/usage_statements/${id}`)).body.billable_user_ids;

test("CV30: a statement counts everybody who held a role other than key contact in the month", async () => {
  const { status, body, headers } = await owner.get("/account/usage_statements");
  expect(status).toBe(200);
  expect(body).toEqual([
    {
      id: 202503,
      plan: "premium",
      year: 2025,
      month: 3,
      start_date: "2025-03-01",
      end_date: "2025-03-31",
      user_months: 4,
    },
  ]);
  expect(headers.get("x-pagination-total-entries")).toBe("1");
  expect(await idsIn(202503)).toEqual([1, 3, 4, 9]);
});

test("somebody who lost the role counts for the months in which it was held", async () => {
  await clock.moveTo("2025-04-10T08:00:00Z");
  expect((await owner.delete("/people/4/permissions/widget-it?roles=auditor")).status).toBe(204);
  await owner.post("/people/5/permissions/widget-it?roles=specialist");
  await clock.moveTo("2025-05-10T08:00:00Z");
  expect((await owner.get("/account/usage_statements")).body.map(({ id }: { id: number }) => id)).toEqual([
    202505, 202504, 202503,
  ]);
  expect(await idsIn(202503)).toEqual([1, 3, 4, 9]);
  expect(await idsIn(202504)).toEqual([1, 3, 4, 5, 9]);
  expect(await idsIn(202505)).toEqual([1, 3, 5, 9]);
  expect((await owner.get("/account/usage_statements?year=2025&month=4")).body).toHaveLength(1);
});

test("billable users come with what they did in the month", async () => {
  await owner.post("/teams", { name: "Counted" });
  const { body } = await owner.get("/account/billable_users");
  const ada = body.find(({ id }: { id: number }) => id === 1);
  expect(ada).toMatchObject({
    name: "Ada Admin",
    primary_email: "ada@widget.example",
    organization: "Widget International",
    account: { id: "widget-it", name: "Widget IT" },
    sign_ins: 0,
    updates: 1,
  });
  expect(
    (await owner.get("/account/billable_users?year=2025&month=3")).body.map(({ id }: { id: number }) => id),
  ).toEqual([1, 3, 4, 9]);
});

test("statements are for the owner of the account", async () => {
  for (const path of ["/account/usage_statements", "/account/usage_statements/202503", "/account/billable_users"])
    expect((await as("specialist").get(path)).status).toBe(403);
  expect((await owner.get("/account/usage_statements/202401")).status).toBe(404);
  expect((await owner.get("/account/usage_statements?colour=1")).body.message).toBe("Unknown fields: colour");
});
