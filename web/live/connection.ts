import { liveApi } from "../api/index.ts";
import { checkConnection, onConnectivityChange } from "./connectivity.ts";
import { emitLiveEvent, type LiveEventName, liveEventNames } from "./events.ts";
import { currentTopics, onTopicsChange } from "./topics.ts";

// One stream per browser: HTTP/1.1 allows six connections to a server. The tab that holds a lock opens the stream for
// the topics of all tabs and forwards the events. When it is closed, another tab gets the lock and resumes.

type TabMessage =
  | { say: "event"; name: LiveEventName; data: unknown; position: string }
  | { say: "topics"; tab: string; topics: readonly string[] }
  | { say: "closed"; tab: string }
  | { say: "state"; connected: boolean }
  /** the tab that holds the stream asks for the topics of all tabs */
  | { say: "ask" };

const maxRecordTopics = 20;
const reopenDelay = 150; // milliseconds: several components of a page change their topics together
const tabHeartbeat = 20_000;
/** The server sends its position every five seconds: a stream without messages for longer may be dead. */
const longestSilence = 7500;
/** The maximum age of shown data: preloaded data counts as fresh for half a minute. */
const maxDataAge = 35_000;

/** The positions of the change log at some moments of this page, oldest first; shared by all accounts. */
let positions: readonly { at: number; position: string }[] = [];

function keepPosition(position: string): void {
  if (position === "" || positions.at(-1)?.position === position) return;
  const now = Date.now();
  const old = positions.findLastIndex(({ at }) => at <= now - maxDataAge);
  positions = [...positions.slice(Math.max(old, 0)), { at: now, position }];
}

/** A position no newer than any data shown. */
const pickResumption = (): string =>
  (positions.findLast(({ at }) => at <= Date.now() - maxDataAge) ?? positions[0])?.position ?? "";

export class LiveConnection {
  private readonly account: string;
  private readonly onConnected: (connected: boolean) => void;
  private readonly channel: BroadcastChannel;
  private readonly tab = crypto.randomUUID();
  private readonly closing = new AbortController();
  private readonly topicsByTab = new Map<string, { topics: readonly string[]; at: number }>();
  private source: EventSource | null = null;
  private subscribed = "";
  private isHolder = false;
  private reopening: ReturnType<typeof setTimeout> | undefined;
  private silence: ReturnType<typeof setTimeout> | undefined;
  private readonly heartbeat: ReturnType<typeof setInterval>;
  private readonly stopListening: readonly (() => void)[];

  /** `since`: a position from before any data of this page was loaded. */
  constructor(person: number, account: string, since: string, onConnected: (connected: boolean) => void) {
    if (positions.length === 0) keepPosition(since);
    this.account = account;
    this.onConnected = onConnected;
    const name = `steward-live/${person}/${account}`;
    this.channel = new BroadcastChannel(name);
    this.channel.onmessage = ({ data }: MessageEvent<TabMessage>) => this.receive(data);
    this.stopListening = [
      onTopicsChange(() => this.tellTopics()),
      // An older stream may look open and be dead.
      onConnectivityChange((connected) => connected && this.reopen()),
    ];
    this.heartbeat = setInterval(() => this.tellTopics(), tabHeartbeat);
    addEventListener("pagehide", this.close);
    if ("locks" in navigator)
      navigator.locks
        .request(name, { signal: this.closing.signal }, () => {
          this.becomeHolder();
          return new Promise<void>((resolve) => this.closing.signal.addEventListener("abort", () => resolve()));
        })
        .catch(() => {}); // closed while it waited
    else this.becomeHolder();
    this.tellTopics();
  }

  private becomeHolder(): void {
    if (this.closing.signal.aborted) return;
    this.isHolder = true;
    this.say({ say: "ask" });
    this.planReopening();
  }

  private say(message: TabMessage): void {
    if (!this.closing.signal.aborted) this.channel.postMessage(message);
  }

  private tellTopics(): void {
    if (this.isHolder) this.planReopening();
    else this.say({ say: "topics", tab: this.tab, topics: currentTopics() });
  }

  private receive(message: TabMessage): void {
    if (message.say === "event") {
      keepPosition(message.position);
      emitLiveEvent(message.name, message.data);
    } else if (message.say === "state") this.report(message.connected);
    else if (message.say === "ask") this.tellTopics();
    else if (this.isHolder) {
      if (message.say === "closed") this.topicsByTab.delete(message.tab);
      else this.topicsByTab.set(message.tab, { topics: message.topics, at: Date.now() });
      this.say({ say: "state", connected: this.source?.readyState === EventSource.OPEN });
      this.planReopening();
    }
  }

  private planReopening(): void {
    clearTimeout(this.reopening);
    this.reopening = setTimeout(() => this.openForAllTabs(), reopenDelay);
  }

  /** The topics of all tabs, those of this one first. */
  private collectTopics(): string[] {
    const lost = Date.now() - 3 * tabHeartbeat;
    for (const [tab, { at }] of this.topicsByTab) if (at < lost) this.topicsByTab.delete(tab);
    const all = [...new Set([...currentTopics(), ...[...this.topicsByTab.values()].flatMap(({ topics }) => topics)])];
    const records = all.filter((topic) => topic.startsWith("record/")).slice(0, maxRecordTopics);
    return [...all.filter((topic) => !topic.startsWith("record/")), ...records].sort();
  }

  private report(connected: boolean): void {
    this.onConnected(connected);
    if (!connected) void checkConnection();
  }

  private watchSilence(): void {
    clearTimeout(this.silence);
    if (this.closing.signal.aborted) return;
    this.silence = setTimeout(() => void checkConnection().finally(() => this.watchSilence()), longestSilence);
  }

  private reopen(): void {
    if (!this.isHolder) return;
    this.source?.close();
    this.openForAllTabs();
  }

  private openForAllTabs(): void {
    const topics = this.collectTopics();
    const subscribed = topics.join();
    if (this.source !== null && subscribed === this.subscribed && this.source.readyState !== EventSource.CLOSED) return;
    this.source?.close();
    this.subscribed = subscribed;
    const source = liveApi(this.account).openStream(topics, pickResumption());
    this.source = source;
    const report = (connected: boolean) => {
      if (this.source !== source) return;
      this.report(connected);
      this.say({ say: "state", connected });
    };
    source.onopen = () => report(true);
    this.watchSilence();
    source.onerror = () => {
      report(false);
      // Permanently refused: the browser doesn't retry.
      if (source.readyState === EventSource.CLOSED && this.source === source)
        this.reopening = setTimeout(() => this.openForAllTabs(), 10_000);
    };
    const pass = (name: LiveEventName | null) => (event: MessageEvent<string>) => {
      this.watchSilence();
      keepPosition(event.lastEventId);
      if (name === null) return;
      const data: unknown = JSON.parse(event.data);
      this.say({ say: "event", name, data, position: event.lastEventId });
      emitLiveEvent(name, data);
    };
    for (const name of ["ready", "position"]) source.addEventListener(name, pass(null));
    for (const name of liveEventNames) source.addEventListener(name, pass(name));
  }

  readonly close = (): void => {
    if (this.closing.signal.aborted) return;
    this.say({ say: "closed", tab: this.tab });
    this.closing.abort();
    clearTimeout(this.reopening);
    clearTimeout(this.silence);
    clearInterval(this.heartbeat);
    for (const stop of this.stopListening) stop();
    removeEventListener("pagehide", this.close);
    this.source?.close();
    this.channel.close();
  };
}
