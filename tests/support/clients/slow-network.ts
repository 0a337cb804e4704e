import type { BrowserContext, CDPSession } from "playwright-core";

// LATENCY=400 npm run test:browser delays every response by 400 milliseconds, as on a slow connection. This exposes race
// conditions in pages.

const latency = Number(process.env.LATENCY ?? 0);

/** Applies to pages opened in the context from now on. */
export function slowDown(context: BrowserContext): void {
  if (latency === 0) return;
  const sessions: CDPSession[] = [];
  const emulate = (session: CDPSession, offline: boolean) =>
    session.send("Network.emulateNetworkConditions", {
      offline,
      latency,
      downloadThroughput: -1,
      uploadThroughput: -1,
    });
  const newPage = context.newPage.bind(context);
  context.newPage = async () => {
    const page = await newPage();
    const session = await context.newCDPSession(page);
    page.once("close", () => sessions.splice(sessions.indexOf(session), 1));
    await session.send("Network.enable");
    await emulate(session, false);
    sessions.push(session);
    return page;
  };
  // When a page has two settings, the later one wins.
  const setOffline = context.setOffline.bind(context);
  context.setOffline = async (offline) => {
    await setOffline(offline);
    for (const session of sessions) await emulate(session, offline);
  };
}
