import type { BrowserContext, CDPSession } from "playwright-core";

// LATENCY=400 npm run test:browser: every answer takes so many milliseconds longer, as over a slow connection. What a page does
// in the wrong order while it waits then fails a test.

const latency = Number(process.env.LATENCY ?? 0);

/** For the pages that are opened in the context from now on. */
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
  // Of two settings for one page the later one counts.
  const setOffline = context.setOffline.bind(context);
  context.setOffline = async (offline) => {
    await setOffline(offline);
    for (const session of sessions) await emulate(session, offline);
  };
}
