import { randomBytes } from "node:crypto";
import { countInbox } from "../actions/inbox/load-inbox.ts";
import { loadCallerInAccount } from "../api/http/pipeline.ts";
import { describeError, type Log } from "../base/log.ts";
import { accessChannel } from "../database/access-changes/access-changes.ts";
import { statement } from "../database/database.ts";
import { mayReadAllRows } from "../engine/access.ts";
import type { Engine } from "../engine/engine.ts";
import { ReadableRecords } from "../engine/read/readable-records.ts";
import { countUnreadNotifications, pageNotificationsChannel } from "../notifications/page-notifications.ts";
import type { Identities } from "../oauth/identities.ts";
import { type JobProgress, jobProgressChannel } from "../queue/job-progress.ts";
import { BroadcastSchedule } from "./broadcast-schedule.ts";
import { ChangeLog, formatPosition, type LoggedChange, type LogPosition } from "./change-log.ts";
import { loadConcerned } from "./inbox-changes.ts";
import { PresenceBoard, type PresenceMessage } from "./presence.ts";
import { selectReadableChanges } from "./readable-changes.ts";
import type { LiveStream } from "./stream.ts";
import { parseRecordTopic } from "./topics.ts";

// Passes changes on to open streams. A commit costs a writer nothing: the process remembers that there was one, and at
// most ten times a second it reads the log for its own streams and notifies the other processes, which do the same. Once a
// second the log is read anyway, so a lost notification delays an event and loses none.

const gatherMilliseconds = 100;
const tickMilliseconds = 1000;
/** Pages take a stream that is silent for longer as a sign that the connection may be lost. */
const positionEveryTicks = 5;
const recheckEveryTicks = 60;
const resumeMilliseconds = 10 * 60_000;
export const maxStreamsPerPerson = 10;
/** After more simultaneous changes, a bulk load for example, pages reload everything instead of processing each. */
const maxChangesAtOnce = 2000;

const changesChannel = "changes_committed";
const presenceChannel = "presence";
const notify = statement("SELECT pg_notify($1, $2)");
const selectSession = statement("SELECT 1 FROM sessions WHERE id = $1 AND idle_expires_at > $2 AND expires_at > $2");
const selectTeams = statement("SELECT team_id FROM team_members WHERE person_id = $1");

type LiveOptions = { engine: Engine; identities: Identities; log: Log };

export class LiveHub {
  readonly engine: Engine;
  readonly identities: Identities;
  private readonly log: Log;
  private readonly changeLog: ChangeLog;
  private readonly presence: PresenceBoard;
  private readonly broadcasts: BroadcastSchedule;
  private readonly streams = new Set<LiveStream>();
  private readonly processId = randomBytes(6).toString("base64url");
  private reading: Promise<void> = Promise.resolve();
  private gathering: NodeJS.Timeout | null = null;
  private ticking: NodeJS.Timeout | null = null;
  private ticks = 0;
  private mustNotify = false;
  private mustRecheck = false;
  private isReadPlanned = false;

  constructor({ engine, identities, log }: LiveOptions) {
    this.engine = engine;
    this.identities = identities;
    this.log = log;
    this.changeLog = new ChangeLog(engine);
    this.presence = new PresenceBoard(engine.clock);
    this.broadcasts = new BroadcastSchedule(engine);
    const { pgListener } = identities;
    pgListener.subscribe(changesChannel, (sender) => {
      if (sender !== this.processId) this.gather();
    });
    pgListener.subscribe(presenceChannel, (payload) => {
      if (payload !== null) this.applyPresence(JSON.parse(payload) as PresenceMessage);
    });
    pgListener.subscribe(jobProgressChannel, (payload) => {
      if (payload !== null) this.sendJobProgress(JSON.parse(payload) as JobProgress);
    });
    pgListener.subscribe(pageNotificationsChannel, (payload) => {
      if (payload !== null) this.runSafely(() => this.sendUnreadCounts(JSON.parse(payload) as number[]));
    });
    pgListener.subscribe(accessChannel, () => {
      this.mustRecheck = true;
    });
  }

  /** A transaction of this process was committed. */
  announceCommit(): void {
    this.mustNotify = true;
    this.gather();
  }

  private gather(): void {
    if (this.gathering !== null || (this.streams.size === 0 && !this.mustNotify)) return;
    this.gathering = setTimeout(() => {
      this.gathering = null;
      this.readChanges();
      if (!this.mustNotify) return;
      this.mustNotify = false;
      this.sendNotification(changesChannel, this.processId);
    }, gatherMilliseconds).unref();
  }

  private sendNotification(channel: string, payload: string): void {
    this.runSafely(async () => void (await this.engine.database.change(notify, [channel, payload])));
  }

  countStreams(person: number): number {
    return [...this.streams].filter(({ by }) => by.person === person).length;
  }

  /** A position from which a stream misses nothing that is committed from now on. */
  async loadPosition(): Promise<string> {
    await this.afterReading(async () => {
      if (this.streams.size > 0) return;
      // The log has not been read recently. Permanently missing ids are known as such after the second read.
      await this.changeLog.moveToEnd();
      await this.changeLog.readNew();
      await this.changeLog.readNew();
    });
    return formatPosition(this.changeLog.position);
  }

  /** Opens a stream; what was missed since `from` is sent first. */
  async add(stream: LiveStream, from: LogPosition | "unknown" | null): Promise<void> {
    await this.loadTeams(stream);
    await this.dropUnreadableTopics(stream);
    await this.afterReading(async () => {
      if (this.streams.size === 0) {
        this.broadcasts.begin();
        await this.changeLog.moveToEnd();
      }
      this.streams.add(stream);
    });
    this.ticking ??= setInterval(() => this.tick(), tickMilliseconds).unref();
    stream.open();
    const position = formatPosition(this.changeLog.position);
    const missed = from === null ? [] : await this.loadMissed(from);
    if (missed === null) stream.send("reset", {}, position);
    else {
      stream.send("ready", {}, position);
      await this.sendChanges(missed, [stream]);
    }
    this.sendPresenceTo(stream);
    // Roles and notifications are not changes in the log: an event during a reconnect of the page's stream would be missed.
    this.sendRoles(stream);
    this.runSafely(() => this.sendUnreadCount(stream));
  }

  remove(stream: LiveStream): void {
    this.streams.delete(stream);
    if (this.streams.size > 0 || this.ticking === null) return;
    clearInterval(this.ticking);
    this.ticking = null;
  }

  close(): void {
    for (const stream of [...this.streams]) stream.close();
    if (this.gathering !== null) clearTimeout(this.gathering);
  }

  private loadMissed(from: LogPosition | "unknown"): Promise<LoggedChange[] | null> {
    if (from === "unknown") return Promise.resolve(null);
    return this.changeLog.readSince(from, new Date(this.engine.clock.now().getTime() - resumeMilliseconds));
  }

  private tick(): void {
    this.ticks++;
    if (this.ticks % positionEveryTicks === 0) this.sendPositions();
    if (this.mustRecheck || this.ticks % recheckEveryTicks === 0) {
      this.mustRecheck = false;
      for (const stream of this.streams) this.runSafely(() => this.recheck(stream));
    }
    for (const { account, type, id } of this.presence.removeExpired()) this.sendPresence(account, type, id);
    this.runSafely(() => this.sendTurnedBroadcasts());
    this.readChanges();
  }

  /** The broadcasts that began or ended by the clock: pages ask which ones they may show (D-307). */
  private async sendTurnedBroadcasts(): Promise<void> {
    const accounts = [...new Set([...this.streams].map(({ by }) => by.account))];
    for (const { id, account } of await this.broadcasts.loadTurned(accounts))
      for (const stream of this.streams) if (stream.by.account === account) stream.send("broadcast", { id });
  }

  /** Sends the position in the log to a reader without events, so that it need not start over after a while. */
  private sendPositions(): void {
    const position = formatPosition(this.changeLog.position);
    for (const stream of this.streams) {
      stream.sendComment();
      stream.send("position", {}, position);
    }
  }

  private readChanges(): void {
    if (this.streams.size === 0 || this.isReadPlanned) return;
    this.isReadPlanned = true;
    void this.afterReading(async () => {
      this.isReadPlanned = false;
      const changes = await this.changeLog.readNew();
      if (changes.length > maxChangesAtOnce) this.sendReset();
      else if (changes.length > 0) await this.sendChanges(changes, [...this.streams]);
    });
  }

  private sendReset(): void {
    const position = formatPosition(this.changeLog.position);
    for (const stream of this.streams) stream.send("reset", {}, position);
  }

  /** Runs one after another, so that events leave in the order of the log. */
  private afterReading(work: () => Promise<void>): Promise<void> {
    const result = this.reading.then(work);
    this.reading = result.catch((error) => {
      this.isReadPlanned = false;
      this.log.error("changes could not be sent to streams", describeError(error));
    });
    return result.catch(() => {});
  }

  private runSafely(work: () => Promise<void>): void {
    work().catch((error) => this.log.error("a stream could not be served", describeError(error)));
  }

  private async sendChanges(changes: readonly LoggedChange[], streams: readonly LiveStream[]): Promise<void> {
    const readable = new ReadableRecords(this.engine);
    const position = formatPosition(this.changeLog.position);
    await Promise.all(
      streams.map(async (stream) => {
        for (const change of await selectReadableChanges(this.engine, stream, changes, readable))
          if (change.type === "broadcast") stream.send("broadcast", { id: change.id }, position);
          else stream.send("change", change, position);
      }),
    );
    await this.sendInboxCounts(changes, streams);
  }

  /** Counts of the inboxes that the changes concern. */
  private async sendInboxCounts(changes: readonly LoggedChange[], streams: readonly LiveStream[]): Promise<void> {
    const inboxes = streams.filter(({ topics }) => topics.inbox);
    if (inboxes.length === 0) return;
    const { people, teams } = await loadConcerned(this.engine, changes);
    const membershipChanged = changes.some(({ type }) => type === "team");
    for (const stream of inboxes) {
      if (membershipChanged) await this.loadTeams(stream);
      const isConcerned = people.has(stream.by.person) || [...stream.teams].some((team) => teams.has(team));
      if (isConcerned || membershipChanged) this.runSafely(() => this.sendInbox(stream));
    }
  }

  private async sendInbox(stream: LiveStream): Promise<void> {
    if (stream.counting !== "no") {
      stream.counting = "again";
      return;
    }
    try {
      do {
        stream.counting = "yes";
        stream.send("inbox", { counts: await countInbox(this.engine, stream.by) });
      } while ((stream.counting as string) === "again");
    } finally {
      stream.counting = "no";
    }
  }

  private async loadTeams(stream: LiveStream): Promise<void> {
    if (!stream.topics.inbox) return;
    const rows = await this.engine.database.read(selectTeams, [stream.by.person]);
    stream.teams = new Set(rows.map(([id]) => Number(id)));
  }

  /** Ends streams whose session has ended, and renews the rights of the others. */
  private async recheck(stream: LiveStream): Promise<void> {
    const now = this.engine.clock.now();
    const [session] = await this.engine.database.read(selectSession, [stream.session, now.toISOString()]);
    const me = session === undefined ? null : await this.identities.person(stream.by.person);
    // Only how the person calls: the caller of before as a whole would bring its roles along.
    const { account, roles, language, source, changeOrigin, customFieldsAsArray, origin, client } = stream.by;
    const settings = { language, source, changeOrigin, customFieldsAsArray, origin, client };
    const by = me === null ? null : await loadCallerInAccount(this, me, account, settings);
    if (by === null) return stream.close();
    const hasOtherRoles = by.roles.size !== roles.size || [...by.roles].some((role) => !roles.has(role));
    stream.by = by;
    if (hasOtherRoles) this.sendRoles(stream);
    await this.loadTeams(stream);
    if (await this.dropUnreadableTopics(stream)) stream.send("reset", {}, formatPosition(this.changeLog.position));
  }

  private sendRoles(stream: LiveStream): void {
    stream.send("access", { roles: [...stream.by.roles].sort() }); // pages compare them with those of /me
  }

  /** Topics of records that the person may not read, or not any more. */
  private async dropUnreadableTopics({ by, topics }: LiveStream): Promise<boolean> {
    const readable = new ReadableRecords(this.engine);
    const idsByType = new Map<string, number[]>();
    for (const { type, id } of [...topics.records].map(parseRecordTopic))
      idsByType.set(type, [...(idsByType.get(type) ?? []), id]);
    let dropped = false;
    for (const [name, ids] of idsByType) {
      const found = await readable.load(by, this.engine.types.get(name), ids);
      for (const id of ids) if (!found.has(id)) dropped = topics.records.delete(`${name}/${id}`) || dropped;
    }
    return dropped;
  }

  /** Rights were checked by the route. */
  announcePresence(message: PresenceMessage): void {
    this.sendNotification(presenceChannel, JSON.stringify(message));
  }

  private applyPresence(message: PresenceMessage): void {
    if (this.presence.apply(message)) this.sendPresence(message.account, message.type, message.id);
  }

  private sendPresence(account: string, type: string, id: number): void {
    for (const stream of this.streams)
      if (this.hearsPresence(stream, account, type, id)) this.sendPeople(stream, type, id);
  }

  private sendPresenceTo(stream: LiveStream): void {
    const { account } = stream.by;
    for (const { type, id } of this.presence.listRecords(account))
      if (this.hearsPresence(stream, account, type, id)) this.sendPeople(stream, type, id);
  }

  private sendPeople(stream: LiveStream, type: string, id: number): void {
    const people = this.presence.list(stream.by.account, type, id).filter((person) => person.id !== stream.by.person);
    stream.send("presence", { type, id, people });
  }

  /** People with a role see each other on the records that they subscribe to, and in lists that they may read whole. */
  private hearsPresence({ by, topics }: LiveStream, account: string, type: string, id: number): boolean {
    if (by.account !== account || by.roles.size === 0) return false;
    if (topics.records.has(`${type}/${id}`)) return true;
    return (topics.inbox || topics.lists.has(type)) && mayReadAllRows(this.engine.types.get(type), by);
  }

  private sendJobProgress({ account, person, token, done, total }: JobProgress): void {
    for (const stream of this.streams)
      if (stream.by.person === person && stream.by.account === account) stream.send("job", { token, done, total });
  }

  private async sendUnreadCounts(people: readonly number[]): Promise<void> {
    for (const stream of this.streams) if (people.includes(stream.by.person)) await this.sendUnreadCount(stream);
  }

  private async sendUnreadCount(stream: LiveStream): Promise<void> {
    stream.send("notification", { unread: await countUnreadNotifications(this.engine.database, stream.by) });
  }
}
