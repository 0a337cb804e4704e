import type { IncomingMessage, Server, ServerResponse } from "node:http";
import type { FastifyRequest } from "fastify";
import { Admission, type Party } from "../../../base/admission.ts";
import type { Configuration } from "../../../base/configuration.ts";
import { Overloaded, ResponseTooLarge, TooManyRequests } from "../../../base/errors.ts";
import type { ReadMemory } from "../../../database/database.ts";
import type { LookupAllowance } from "../../../oauth/identities.ts";
import { getClientAddress, isTrustedProxy } from "../origin.ts";
import { ConnectionWatch } from "./connection-watch.ts";
import { serveOneByOne } from "./pipelining.ts";

// The first step of every call: the headers determine its cost, and the limits of its client decide whether
// it begins. Calls of the REST API are also counted by the rate limiter, which has its own rules.

/** The cost of a call against the allowance of its address. */
const costs = { static: 0.2, page: 1 };

/** An upload is a stream: this much of it is in memory. */
const uploadBytes = 1_048_576;
/** Of the rows of one call. */
const maxRowBytes = 16 * 1_048_576;
/** A refused body that is larger closes its connection. */
const largeBody = 65_536;
/** Smaller answers are not worth counting. */
const largeAnswer = 65_536;

/** Per address: tokens that do not exist, each of which costs a look-up in the database. D-260. */
const unknownTokens = { requests: 100, seconds: 10 };
/** Per address: refusals that are sent immediately. Further ones are delayed, which costs nothing. D-262. */
const promptRefusals = { requests: 20, seconds: 1 };
const refusalDelay = 1000; // milliseconds, on average
const sweepMilliseconds = 10_000;

type CallInProgress = {
  address: Party;
  person: Party | null;
  /** false: it takes no place among the calls of its address and person */
  isCounted: boolean;
  bytes: number;
  /** too few to be reserved yet */
  smallBytes: number;
  hasEnded: boolean;
};

export type EntranceConfig = {
  /** files and documents that are made once */
  isStatic?: true;
  /** stays open, or dispatches calls that are counted themselves: it takes no place among the calls in progress */
  isUncounted?: true;
  /** health checks are always answered */
  isExempt?: true;
};

export class HttpAdmission {
  readonly admission: Admission;
  private readonly configuration: Configuration;
  private readonly watch: ConnectionWatch;
  private readonly tokenLookups: Admission;
  readonly refusals: Admission;
  private readonly addressOf = new WeakMap<object, Party>();
  private readonly calls = new WeakMap<IncomingMessage, CallInProgress>();

  constructor(configuration: Configuration) {
    this.configuration = configuration;
    this.admission = new Admission(configuration.admission);
    const count = (rate: typeof unknownTokens) =>
      new Admission({ ...configuration.admission, rate: configuration.admission.rate === null ? null : rate });
    this.tokenLookups = count(unknownTokens);
    this.refusals = count(promptRefusals);
    this.watch = new ConnectionWatch(this.admission, configuration.admission.stallSeconds, (socket) =>
      isTrustedProxy(configuration, socket),
    );
  }

  attach(server: Server): void {
    serveOneByOne(server, this.admission, (request) => this.getAddress(request));
    this.watch.attach(server);
    const sweep = () => {
      this.tokenLookups.removeIdle();
      this.refusals.removeIdle();
    };
    const timer = setInterval(sweep, sweepMilliseconds).unref();
    server.on("close", () => clearInterval(timer));
  }

  /** Answers a call that was refused with 429. While it is delayed it does not count as a call in progress. */
  delayRefusal(request: IncomingMessage, answer: () => void): void {
    const isDelayed = this.delayRefusalAt(getClientAddress(this.configuration, request), answer);
    const call = isDelayed ? this.calls.get(request) : undefined;
    if (call !== undefined) this.end(call);
  }

  delayRefusalAt(address: string, answer: () => void): boolean {
    if (this.refusals.takeAllowance(this.refusals.getAddress(address), 1) === 0) {
      answer();
      return false;
    }
    // Not all at the same moment: their clients come back together.
    setTimeout(answer, refusalDelay * (0.5 + Math.random()));
    return true;
  }

  /** The token look-ups that the client of a call may make. */
  getLookupAllowance(request: IncomingMessage): LookupAllowance {
    const { tokenLookups } = this;
    const getParty = () => tokenLookups.getAddress(getClientAddress(this.configuration, request));
    return {
      take() {
        const wait = tokenLookups.takeAllowance(getParty(), 1);
        if (wait > 0) throw new TooManyRequests(wait);
      },
      giveBack: () => tokenLookups.giveBackAllowance(getParty(), 1),
    };
  }

  /** Throws when the address has too much in progress. Below `apiPrefix` the rate limiter counts the calls. */
  admit(request: FastifyRequest, response: ServerResponse, apiPrefix: string, bodyLimit: number): void {
    const { raw } = request;
    const config = (request.routeOptions.config ?? {}) as EntranceConfig;
    if (config.isExempt) return;
    const { admission } = this;
    const address = this.getAddress(raw);
    if (!request.url.startsWith(apiPrefix)) {
      const wait = admission.takeAllowance(address, config.isStatic ? costs.static : costs.page);
      if (wait > 0) throw new TooManyRequests(wait);
    }
    const size = estimateBody(raw, Math.min(bodyLimit, request.routeOptions.bodyLimit ?? bodyLimit));
    // A large body that is refused is not read to its end: that would cost as much as admitting it.
    if (size > largeBody) response.setHeader("Connection", "close");
    const isCounted = !config.isUncounted;
    if (isCounted && !admission.beginCall(address, admission.limits.callsPerAddress)) throw new TooManyRequests(1);
    const call: CallInProgress = { address, person: null, isCounted, bytes: 0, smallBytes: 0, hasEnded: false };
    this.calls.set(raw, call);
    response.on("close", () => this.end(call));
    if (size > 0) this.reserveFor(call, size);
    if (size > largeBody) response.removeHeader("Connection");
  }

  /** Reserves memory for what a call loads and answers, until its answer has been sent. Throws when there is none. */
  reserve(request: IncomingMessage, size: number): void {
    const call = this.calls.get(request);
    if (call === undefined || call.hasEnded) return;
    call.smallBytes += size;
    if (call.smallBytes < largeAnswer) return;
    this.reserveFor(call, call.smallBytes);
    call.smallBytes = 0;
  }

  /** Counts the rows that a call loads: they are in memory as rows and as JSON. */
  countRows(request: IncomingMessage): ReadMemory {
    let total = 0;
    return {
      take: (bytes) => {
        total += bytes;
        if (total > maxRowBytes)
          throw new ResponseTooLarge("The response would be larger than 16 MB: ask for fewer records or fields");
        this.reserve(request, 2 * bytes);
      },
    };
  }

  private reserveFor(call: CallInProgress, size: number): void {
    const exceeded = this.admission.reserveBytes(call.address, size, call.bytes);
    if (exceeded === "address") throw new TooManyRequests(1);
    if (exceeded === "total") throw new Overloaded("the memory for calls is in use");
    call.bytes += size;
  }

  /** The same at entrances that the rate limiter does not count: as many calls as from one address. */
  admitPersonAtPages(request: IncomingMessage, person: number): void {
    this.chargePerson(person, costs.page);
    this.admitPerson(request, person);
  }

  chargePerson(person: number, cost: number): void {
    const wait = this.admission.takeAllowance(this.admission.getPerson(person), cost);
    if (wait > 0) throw new TooManyRequests(wait);
  }

  /** Counts a call for its person, once that is known. */
  admitPerson(request: IncomingMessage, person: number): void {
    const call = this.calls.get(request);
    if (call === undefined || !call.isCounted) return;
    const party = this.admission.getPerson(person);
    if (!this.admission.beginCall(party, this.admission.limits.callsPerPerson)) throw new TooManyRequests(1);
    call.person = party;
  }

  /** Counts a large answer until it has been sent. */
  countAnswer(request: IncomingMessage, size: number): void {
    if (size < largeAnswer) return;
    const call = this.calls.get(request);
    if (call === undefined || call.hasEnded) return;
    call.bytes += size;
    this.admission.addBytes(call.address, size);
  }

  private end(call: CallInProgress): void {
    if (call.hasEnded) return;
    call.hasEnded = true;
    if (call.isCounted) this.admission.endCall(call.address);
    if (call.person !== null) this.admission.endCall(call.person);
    if (call.bytes > 0) this.admission.releaseBytes(call.address, call.bytes);
  }

  /** A direct client keeps its address as long as its connection; behind a proxy every call has its own. */
  private getAddress(request: IncomingMessage): Party {
    const known = this.addressOf.get(request.socket);
    if (known !== undefined) return known;
    const party = this.admission.getAddress(getClientAddress(this.configuration, request));
    if (!isTrustedProxy(this.configuration, request.socket)) this.addressOf.set(request.socket, party);
    return party;
  }
}

/** From the headers. A body without a length may become as large as allowed. */
function estimateBody({ headers }: IncomingMessage, limit: number): number {
  const length = headers["content-length"];
  if (length === undefined) return headers["transfer-encoding"] === undefined ? 0 : limit;
  const isUpload = headers["content-type"]?.startsWith("multipart/") ?? false;
  return Math.min(Number(length) || 0, isUpload ? uploadBytes : limit);
}
