import "../styles/fonts.css";
import "../styles/tones.css";
import "../styles/areas/ordered-lines.css";
import "../styles/portal/base.css";
import "../styles/portal/frame.css";
import "../styles/portal/home.css";
import "../styles/portal/form.css";
import "../styles/portal/request.css";
import "../styles/portal/narrow.css";
import { QueryCache, QueryClient, QueryClientProvider } from "@tanstack/react-query";
import { StrictMode } from "react";
import { createRoot } from "react-dom/client";
import { ApiError, sessionApi } from "../api/index.ts";
import { signInPath } from "../base/paths.ts";
import { buildTokens } from "../base/tokens.ts";
import { watchConnectivity } from "../live/connectivity.ts";
import { guardLinks, leaveWhenConnected } from "../live/navigation-guard.ts";
import { ErrorGuard } from "./frame/error-guard.tsx";
import { PortalFrame } from "./frame/portal-frame.tsx";
import { showMessage } from "./frame/toasts.tsx";
import { loadWords, t } from "./words.ts";

// The portal is a separate page without the code of the workspace.

const declare = (theme: "light" | "dark"): string =>
  Object.entries(buildTokens(theme))
    .map(([name, value]) => `${name}:${value}`)
    .join(";");
const tokens = new CSSStyleSheet();
tokens.replaceSync(`:root{${declare("light")}}:root[data-mantine-color-scheme="dark"]{${declare("dark")}}`);
document.adoptedStyleSheets = [...document.adoptedStyleSheets, tokens];

let isAsking = false;
let resumedAt = Number.NEGATIVE_INFINITY;

/** Another tab may have signed in again: then reload everything, unless that was tried a moment ago. */
async function leaveWhenSignedOut(): Promise<void> {
  if (isAsking) return;
  isAsking = true;
  const isFirst = performance.now() - resumedAt > 10_000;
  if (!isFirst || (await sessionApi.resume().catch(() => null)) === null)
    return leaveWhenConnected(() => location.assign(signInPath()));
  isAsking = false;
  resumedAt = performance.now();
  await queries.invalidateQueries();
}

const queries = new QueryClient({
  defaultOptions: {
    queries: {
      staleTime: 10_000,
      // Only temporary errors are worth a retry: no response, or a server that couldn't respond at the moment.
      retry: (count, error) =>
        count < 3 && error instanceof ApiError && (error.status === 0 || error.status === 502 || error.status === 503),
    },
  },
  queryCache: new QueryCache({
    onError: (error) => {
      if (error instanceof ApiError && error.status === 401) void leaveWhenSignedOut();
    },
  }),
});

watchConnectivity();
guardLinks(() => showMessage(t("offline.link")));
await loadWords(navigator.language);

createRoot(document.getElementById("root") ?? document.body).render(
  <StrictMode>
    <ErrorGuard>
      <QueryClientProvider client={queries}>
        <PortalFrame />
      </QueryClientProvider>
    </ErrorGuard>
  </StrictMode>,
);
