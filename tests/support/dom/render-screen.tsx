import { MantineProvider } from "@mantine/core";
import { notifications } from "@mantine/notifications";
import { QueryClient, QueryClientProvider } from "@tanstack/react-query";
import { createRouter, RouterProvider } from "@tanstack/react-router";
import { waitFor } from "@testing-library/dom";
import { type UserEvent, userEvent } from "@testing-library/user-event";
import type { ReactNode } from "react";
import { createRoot, type Root } from "react-dom/client";
import { history } from "../../../web/base/history.ts";
import { theme } from "../../../web/base/theme.ts";
import { ToastLayer } from "../../../web/elements/toast.tsx";
import { loadLanguage } from "../../../web/languages/index.ts";
import { ErrorBoundary } from "../../../web/parts/error-boundary.tsx";
import { router as workspace } from "../../../web/routes.tsx";
import type { Answers, PageCall, Records } from "./answers.ts";
import { answerFrame, type Person } from "./frame.ts";
import { clearStore } from "./memory-store.ts";
import { Server, serveBy } from "./server.ts";

// Renders a screen of the workspace in a DOM without a browser: real routes, providers and calls, recorded responses.

export type Given = {
  /** in the account of the page; an administrator by default */
  roles?: readonly string[];
  person?: Partial<Person>;
  language?: string;
  answers?: Answers;
  records?: Records;
};

export type ScreenTest = {
  user: UserEvent;
  /** the account of the page: each page has its own, so that nothing that is kept for one reaches the next */
  account: string;
  calls: readonly PageCall[];
  /** the calls of "PATCH /teams/:id", the oldest first */
  callsOf(key: string): readonly PageCall[];
  /** resolves with the newest call once there is one */
  nextCall(key: string): Promise<PageCall>;
  /** goes to another page as a link does */
  visit(path: string): void;
  /** an event of the stream of changes */
  emit(name: string, data: object): void;
};

let pages = 0;
let open: { root: Root; container: HTMLElement; queries: QueryClient; server: Server } | null = null;

function mount(server: Server, content: ReactNode): void {
  const queries = new QueryClient({ defaultOptions: { queries: { staleTime: 10_000, retry: false } } });
  const container = document.createElement("div");
  document.body.append(container);
  const root = createRoot(container);
  open = { root, container, queries, server };
  root.render(
    <MantineProvider theme={theme} withCssVariables={false} withGlobalClasses={false} env="test">
      <ErrorBoundary>
        <QueryClientProvider client={queries}>
          <ToastLayer />
          {content}
        </QueryClientProvider>
      </ErrorBoundary>
    </MantineProvider>,
  );
}

/** Opens an address of the workspace below the account: `renderScreen("/settings/webhooks", { answers: { … } })`. */
export async function renderScreen(path: string, given: Given = {}): Promise<ScreenTest> {
  const { roles = ["account_administrator"], language = "en", answers = {}, records = {} } = given;
  const account = `widget-${++pages}`;
  const person = { id: 1, name: "Ada Admin", email: "ada@widget.example", ...given.person };
  const frame = answerFrame({ account, roles, person, language });
  const server = new Server({ answers, frame, records });
  serveBy(server);
  // Tests that render parts by themselves leave toasts behind, and only a few are shown at a time.
  notifications.clean();
  await loadLanguage(language);
  history.replace(`/a/${account}${path}`);
  // The routes of the product; a router of its own, because one that was unmounted waits for its next transition.
  const router = createRouter(workspace.options);
  await router.load();
  const user = userEvent.setup({ delay: null });
  mount(server, <RouterProvider router={router} />);
  return {
    ...{ user, account, calls: server.calls },
    callsOf: (key) => server.callsOf(key),
    nextCall: (key) =>
      waitFor(() => {
        const call = server.callsOf(key).at(-1);
        if (call === undefined) throw new Error(`The page has not made the call ${key}.`);
        return call;
      }),
    visit: (to) => history.push(`/a/${account}${to}`),
    emit: (name, data) => server.emit(name, data),
  };
}

/** The text of the page and its calls without a response, for the message of a failure. */
export function describePage(): string {
  const texts = [...document.querySelectorAll("main, body > div")].map(({ textContent }) => textContent ?? "");
  const text = texts.join("\n").slice(0, 3000);
  return `Calls without a response: ${open?.server.unanswered.join(", ")}\nText of the page: ${text}`;
}

/** Closes the page, once it has loaded what it wanted, and forgets what it kept. Returns the calls that had no response. */
export async function leavePage(): Promise<readonly string[]> {
  if (open === null) return [];
  const { root, container, queries, server } = open;
  open = null;
  await waitFor(() => {
    if (queries.isFetching() > 0) throw new Error("The page still loads.");
  });
  root.unmount();
  queries.clear();
  container.remove();
  document.body.replaceChildren();
  localStorage.clear();
  sessionStorage.clear();
  clearStore();
  serveBy(null);
  return [...new Set(server.unanswered)];
}
