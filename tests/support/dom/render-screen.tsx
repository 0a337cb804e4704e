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
  /** the person's roles in the page's account; an administrator by default */
  roles?: readonly string[];
  person?: Partial<Person>;
  language?: string;
  answers?: Answers;
  records?: Records;
};

export type ScreenTest = {
  user: UserEvent;
  /** the page's account; each page has a separate one, so that stored data doesn't reach the next page */
  account: string;
  calls: readonly PageCall[];
  /** the calls that match a key such as "PATCH /teams/:id", the oldest first */
  callsOf(key: string): readonly PageCall[];
  /** resolves with the newest matching call once there is one */
  nextCall(key: string): Promise<PageCall>;
  /** navigates to another page like a link */
  visit(path: string): void;
  /** emits an event of the change stream */
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
  // Tests that render single components leave toasts behind, and only a few are shown at a time.
  notifications.clean();
  await loadLanguage(language);
  history.replace(`/a/${account}${path}`);
  // The product's routes in a new router, because an unmounted router waits for its next transition.
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

/** Describes the page's text and its calls without a response, for failure messages. */
export function describePage(): string {
  const texts = [...document.querySelectorAll("main, body > div")].map(({ textContent }) => textContent ?? "");
  const text = texts.join("\n").slice(0, 3000);
  return `Calls without a response: ${open?.server.unanswered.join(", ")}\nText of the page: ${text}`;
}

/** Closes the page after its queries have finished and clears its stores. Returns the calls without a response. */
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
