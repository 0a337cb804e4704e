import { isIPv6 } from "node:net";
import { signIns } from "../../../demo/data/accounts.ts";
import { isLoopback } from "../../api/http/origin.ts";
import type { Configuration } from "../../base/configuration.ts";
import { program } from "../command-line/help.ts";
import type { StartState } from "./first-start.ts";

/** Tests wait for this line. */
export const lastLine = "Ctrl-C stops it.";

/** Printed when the server is up: its URLs, who may sign in, what to try first. */
export function renderWelcome(configuration: Configuration, state: StartState, mailPort?: number): string[] {
  const origin = getServerUrl(configuration);
  return [
    "",
    `Steward serves ${origin}`,
    `  web            ${origin}/`,
    `  API            ${origin}/v1`,
    `  documentation  ${origin}/docs/api`,
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
        "People of the demo company to sign in as:",
        ...signIns.map(({ role, email, account }) => `  ${role.padEnd(13)}  ${email} (account ${account})`),
        `  ${"password".padEnd(13)}  ${state.password} (the same for the three, shown this once)`,
        "",
        "Call the API from another terminal; the token is the administrator's and is shown this once:",
        `  curl -H "Authorization: Bearer ${state.token}" -H "account: ${administrator.account}" "${origin}/v1/people?per_page=3"`,
        "",
        "The examples in the README use these variables:",
        `  export TOKEN=${state.token}`,
        `  export ACCOUNT=${administrator.account}`,
      ];
    case "the demo company":
      return [
        "",
        "A new password, and a token for the API:",
        `  ${program} password set --email ${administrator.email}`,
        `  ${program} token create --email ${administrator.email} --account ${administrator.account}`,
      ];
    case "nothing":
      return [
        "",
        "There is no account yet. Create the first one in the browser, within a day, at this address:",
        `  ${origin}${state.setupPath}`,
        "",
        "Or at the command line, with its administrator, a password, and a token:",
        `  ${program} account create --id acme --name "Acme"`,
        `  ${program} person create --name "Your Name" --email you@acme.example --account acme --roles account_administrator`,
        `  ${program} password set --email you@acme.example`,
        `  ${program} token create --email you@acme.example --account acme`,
      ];
    case "data":
      return ["", "A token for the API:", `  ${program} token create --email <address> --account <account id>`];
  }
}

/** Warns when other machines could connect but plain HTTP requests from them are refused. */
function renderAccessWarning({ host, tls, trustProxy }: Configuration): string[] {
  if (isLoopback(host) || host === "localhost" || tls !== null || trustProxy.length > 0) return [];
  return ["", "Only this machine is served over plain HTTP: set TLS_CERT and TLS_KEY, or TRUST_PROXY, for others."];
}

export function getServerUrl({ publicUrl, tls, host, port }: Configuration): string {
  if (publicUrl !== null) return publicUrl;
  return `${tls === null ? "http" : "https"}://${formatHost(host)}:${port}`;
}

function formatHost(host: string): string {
  const isAnyAddress = host === "0.0.0.0" || host === "::";
  return isAnyAddress ? "127.0.0.1" : isIPv6(host) ? `[${host}]` : host;
}
