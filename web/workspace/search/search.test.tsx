import { screen, within } from "@testing-library/dom";
import { expect, test } from "vitest";
import { getExample } from "../../../tests/support/dom/answers.ts";
import { renderScreen } from "../../../tests/support/dom/render-screen.tsx";

const [example] = getExample("GET /search");
const found = {
  ...(example as NonNullable<typeof example>),
  ...{ id: 7, type: "request", title: "Zeppelin <i>café</i>", details: "The zeppelin is late & slow." },
  highlights: {
    title: "<em>Zeppelin</em> &lt;i&gt;<em>café</em>&lt;/i&gt;",
    details: "The <em>zeppelin</em> is late &amp; slow.",
  },
};

test("changed words start a new search, and a message says that nothing was found", async () => {
  const { user, nextCall } = await renderScreen("/search?q=zeppelin", {
    answers: { "GET /search": ({ query }) => (query.q === "zeppelin" ? [found] : []) },
  });
  await within(await screen.findByRole("main")).findByRole("link", { name: /Zeppelin/ });
  await user.type(screen.getByRole("searchbox", { name: "Search" }), " nowhere");
  await screen.findByText(/No results for/);
  expect((await nextCall("GET /search")).query).toMatchObject({ q: "zeppelin nowhere" });
});
