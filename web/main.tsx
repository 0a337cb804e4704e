import "./base/style-nonce.ts";
import "./styles/library.css";
import "./styles/fonts.css";
import "./styles/tones.css";
import "./styles/areas/ordered-lines.css";
import "./styles/parts.css";
import "./styles/lists.css";
import "./styles/pages.css";
import "./styles/shell.css";
import "./styles/inbox.css";
import { MantineProvider } from "@mantine/core";
import { QueryCache, QueryClient, QueryClientProvider } from "@tanstack/react-query";
import { RouterProvider } from "@tanstack/react-router";
import { StrictMode } from "react";
import { createRoot } from "react-dom/client";
import { ApiError } from "./api/index.ts";
import { signInPath } from "./base/paths.ts";
import { styleNonce } from "./base/style-nonce.ts";
import { cssVariables, theme } from "./base/theme.ts";
import { showMessage, ToastLayer } from "./elements/toast.tsx";
import { loadLanguage, rememberedLanguage, t } from "./languages/index.ts";
import { watchConnectivity } from "./live/connectivity.ts";
import { guardLinks, leaveWhenConnected } from "./live/navigation-guard.ts";
import { keepFocusInDialogs } from "./parts/dialogs/dialog-focus.ts";
import { ErrorBoundary } from "./parts/error-boundary.tsx";
import { router } from "./routes.tsx";

const queries = new QueryClient({
  defaultOptions: {
    queries: {
      staleTime: 10_000,
      // Only temporary errors are worth a retry: no response, or a server that couldn't respond at the moment.
      retry: (count, error) =>
        count < 2 && error instanceof ApiError && (error.status === 0 || error.status === 502 || error.status === 503),
    },
  },
  queryCache: new QueryCache({
    onError: (error) => {
      if (error instanceof ApiError && error.status === 401)
        void leaveWhenConnected(() => location.assign(signInPath()));
    },
  }),
});

watchConnectivity();
guardLinks(() => showMessage(t("states.offlineLink")));
keepFocusInDialogs();
await loadLanguage(rememberedLanguage());

createRoot(document.getElementById("root") ?? document.body).render(
  <StrictMode>
    <MantineProvider
      theme={theme}
      cssVariablesResolver={cssVariables}
      defaultColorScheme="auto"
      getStyleNonce={() => styleNonce}
    >
      <ErrorBoundary>
        <QueryClientProvider client={queries}>
          <ToastLayer />
          <RouterProvider router={router} />
        </QueryClientProvider>
      </ErrorBoundary>
    </MantineProvider>
  </StrictMode>,
);
