import { isIPv6 } from "node:net";
import { signIns } from "../../../demo/data/accounts.ts";
import { isLoopback } from "../../api/http/origin.ts";
import type { Configuration } from "../../base/configuration.ts";
import { program } from "../command-line/help.ts";
import type { StartState } from "./first-start.ts";

/** Tests wait for this line. */
export const lastLine = "Press Ctrl-C to stop.";

/** Printed when the server is up: its URLs, who may sign in, what to try first. */
export function renderWelcome(configuration: Configuration, state: StartState, mailPort?: number): string[] {
  const origin = getServerUrl(configuration);
  return [
    "",
    `Steward is running at ${origin}`,
    `  web            ${origin}/`,
    `  API            ${origin}/v1`,
    `  API reference  ${origin}/docs/api`,
    ...(mailPort === undefined
      ? []
      : [`  mail           smtp://${formatHost(configuration.inboundMail.host)}:${mailPort}`]),
    ...renderFirstSteps(state, origin),
    ...renderAccessWarning(configuration),
    "",
    lastLine,
    "",
  ];
}

function renderFirstSteps(state: StartState, origin: string): string[] {
  const [administrator] = signIns;
  switch (state.found) {
    case "nothing, demo loaded":
      return [
        "",
        "Sign in as one of these demo users:",
        ...signIns.map(({ role, email, account }) => `  ${role.padEnd(13)}  ${email} (account ${account})`),
        `  ${"password".padEnd(13)}  ${state.password} (for all three; shown only once)`,
        "",
        "Call the API from another terminal (this administrator token is shown only once):",
        `  curl -H "Authorization: Bearer ${state.token}" -H "account: ${administrator.account}" "${origin}/v1/people?per_page=3"`,
        "",
        "The examples in the README use these variables:",
        `  export TOKEN=${state.token}`,
        `  export ACCOUNT=${administrator.account}`,
      ];
    case "the demo company":
      return [
        "",
        "To set a new password or create an API token:",
        `  ${program} password set --email ${administrator.email}`,
        `  ${program} token create --email ${administrator.email} --account ${administrator.account}`,
      ];
    case "nothing":
      return [
        "",
        "No account yet. Create the first one in your browser (link valid for one day):",
        `  ${origin}${state.setupPath}`,
        "",
        "Or create it on the command line:",
        `  ${program} account create --id acme --name "Acme"`,
        `  ${program} person create --name "Your Name" --email you@acme.example --account acme --roles account_administrator`,
        `  ${program} password set --email you@acme.example`,
        `  ${program} token create --email you@acme.example --account acme`,
      ];
    case "data":
      return ["", "To create an API token:", `  ${program} token create --email <address> --account <account id>`];
  }
}

/** Warns when other machines could connect but plain HTTP requests from them are refused. */
function renderAccessWarning({ host, tls, trustProxy }: Configuration): string[] {
  if (isLoopback(host) || host === "localhost" || tls !== null || trustProxy.length > 0) return [];
  return [
    "",
    "Plain HTTP is accepted only from this machine. To serve other machines, set TLS_CERT and TLS_KEY, or TRUST_PROXY.",
  ];
}

export function getServerUrl({ publicUrl, tls, host, port }: Configuration): string {
  if (publicUrl !== null) return publicUrl;
  return `${tls === null ? "http" : "https"}://${formatHost(host)}:${port}`;
}

function formatHost(host: string): string {
  const isAnyAddress = host === "0.0.0.0" || host === "::";
  return isAnyAddress ? "127.0.0.1" : isIPv6(host) ? `[${host}]` : host;
}
