import { expect, test } from "vitest";
import { world } from "../support/world.ts";

// Ada owns the account widget-it. Four people hold billable roles there from the start; Kim is a key contact.

const { as, clock } = await world();
const owner = as("administrator");
const loadBillableIds = async (id: number) =>
  (await owner.get(`/account/usage_statements/${id}`)).body.billable_user_ids;

test("CV30: a statement counts everyone who held a role other than key contact during the month", async () => {
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
  expect(await loadBillableIds(202503)).toEqual([1, 3, 4, 9]);
});

test("a person who lost the role is counted in the months in which they held it", async () => {
  await clock.moveTo("2025-04-10T08:00:00Z");
  expect((await owner.delete("/people/4/permissions/widget-it?roles=auditor")).status).toBe(204);
  await owner.post("/people/5/permissions/widget-it?roles=specialist");
  await clock.moveTo("2025-05-10T08:00:00Z");
  expect((await owner.get("/account/usage_statements")).body.map(({ id }: { id: number }) => id)).toEqual([
    202505, 202504, 202503,
  ]);
  expect(await loadBillableIds(202503)).toEqual([1, 3, 4, 9]);
  expect(await loadBillableIds(202504)).toEqual([1, 3, 4, 5, 9]);
  expect(await loadBillableIds(202505)).toEqual([1, 3, 5, 9]);
  expect((await owner.get("/account/usage_statements?year=2025&month=4")).body).toHaveLength(1);
});

test("billable users are listed with their activity of the month", async () => {
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

test("only the account's owner can read statements", async () => {
  for (const path of ["/account/usage_statements", "/account/usage_statements/202503", "/account/billable_users"])
    expect((await as("specialist").get(path)).status).toBe(403);
  expect((await owner.get("/account/usage_statements/202401")).status).toBe(404);
  expect((await owner.get("/account/usage_statements?colour=1")).body.message).toBe("Unknown fields: colour");
});
