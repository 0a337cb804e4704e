import {
  type DocumentNode,
  type ExecutionResult,
  GraphQLError,
  type GraphQLSchema,
  getOperationAST,
  getVariableValues,
  type OperationDefinitionNode,
} from "graphql";
import { Overloaded, TooManyRequests, Unavailable } from "../base/errors.ts";
import type { ClientConnection } from "../database/database.ts";
import type { Account, Caller } from "../engine/caller.ts";
import type { Engine } from "../engine/engine.ts";
import type { Identity } from "../oauth/identities.ts";
import { allows } from "../oauth/scopes/scopes.ts";
import type { CallContext } from "./call-context.ts";
import type { CostStatus } from "./cost-limit.ts";
import { checkDocument } from "./document/check-document.ts";
import { DocumentCache, maxCachedLength } from "./document/parse-document.ts";
import { pickQueryPlan, type VariableValues } from "./document/query-plan.ts";
import { formatError } from "./errors.ts";
import { IntrospectionCache } from "./introspection-cache.ts";
import type { ScopeNeed } from "./model/access-needs.ts";
import { Batches } from "./read/batches.ts";
import { ResponseBudget } from "./read/response-budget.ts";
import { runQuery, turns } from "./read/run-query.ts";
import { writeResponse } from "./write-response.ts";

// One call: parse, validate, check limits and scopes, spend its points, run it.

export type GraphqlRequest = {
  query: string;
  variables: Readonly<Record<string, unknown>>;
  operationName: string | null;
};

export type GraphqlCall = {
  request: GraphqlRequest;
  engine: Engine;
  by: Caller;
  identity: Identity;
  domain: string;
  requestId: string;
  /** seconds that the call may take */
  seconds: number;
  buildStorage(): Promise<Record<string, unknown>>;
  loadAccounts(): Promise<ReadonlyMap<string, Account>>;
  /** counts the points of the call; they are not spent when they exceed the limit */
  spend(cost: number): CostStatus | Promise<CostStatus>;
  /** reserves memory until the answer has been sent; throws when there is none */
  reserveMemory(bytes: number): void;
  /** logs something unexpected */
  report(error: unknown): void;
};

/** `isRequestError`: the document or its variables are wrong, so nothing ran */
export type GraphqlAnswer = { body: string | Buffer; isRequestError: boolean; cost: CostStatus };

type PreparedCall = {
  document: DocumentNode;
  operation: OperationDefinitionNode;
  variables: VariableValues;
  cost: number;
  fields: number;
  isQuery: boolean;
  isOnlySchema: boolean;
};
type RefusedCall = { errors: readonly GraphQLError[]; isRequestError: boolean };

/** A document of this length is in memory as a tree, which takes as much more. */
const treeBytesPerCharacter = 10;
/** Larger responses are written in several turns. */
const largeResponse = 131_072;

export class GraphqlService {
  readonly schema: GraphQLSchema;
  private readonly documents: DocumentCache;
  private readonly introspection = new IntrospectionCache();

  constructor(schema: GraphQLSchema) {
    this.schema = schema;
    this.documents = new DocumentCache(schema);
  }

  async answer(call: GraphqlCall): Promise<GraphqlAnswer> {
    call.reserveMemory(call.request.query.length * treeBytesPerCharacter);
    // Parsing and validating a long document takes some milliseconds.
    const isLong = call.request.query.length > maxCachedLength;
    const prepared = isLong ? await turns.run(() => this.prepare(call)) : this.prepare(call);
    const cost = await call.spend("errors" in prepared ? 1 : prepared.cost);
    if (cost.retryAfter !== null) throw new TooManyRequests(cost.retryAfter);
    if ("errors" in prepared) return this.refuse(call, prepared, cost);
    if (prepared.isOnlySchema) return this.describeSchema(call, prepared, cost);
    const budget = new ResponseBudget(call.reserveMemory);
    const deadline = new Deadline(call.by.client, call.seconds * 1000);
    try {
      const memory = { take: (bytes: number) => budget.countRows(bytes) };
      const by = { ...call.by, customFieldsAsArray: true, client: deadline, memory };
      const context = buildContext(call, { by, cost, budget });
      const result = await this.run(prepared, context);
      // Nothing was changed: the same call may work later.
      const passing = result.errors?.find(({ originalError }) => isPassing(originalError));
      if (passing !== undefined && prepared.isQuery && !deadline.isOver) throw passing.originalError;
      return { body: await buildBody(call, result, deadline.isOver, budget.outputBytes), isRequestError: false, cost };
    } finally {
      deadline.end();
    }
  }

  private async refuse(call: GraphqlCall, { errors, isRequestError }: RefusedCall, cost: CostStatus) {
    return { body: await buildBody(call, { errors }, false), isRequestError, cost };
  }

  /** The same for all callers, so the budget of the call counts only where it is built. */
  private async describeSchema(call: GraphqlCall, prepared: PreparedCall, cost: CostStatus): Promise<GraphqlAnswer> {
    const { query, ...rest } = call.request;
    const answer = this.introspection.get(query, rest, async () => {
      const budget = new ResponseBudget(() => {});
      const result = await this.run(prepared, buildContext(call, { by: call.by, cost, budget }));
      return Buffer.from(await buildBody(call, result, false, budget.outputBytes));
    });
    if (answer === null) throw new Overloaded("too many documents about the schema wait");
    return { body: await answer, isRequestError: false, cost };
  }

  private run(prepared: PreparedCall, context: CallContext): Promise<ExecutionResult> {
    const { document, operation, variables, fields } = prepared;
    return runQuery(pickQueryPlan(this.schema, document, operation, variables, fields), context, variables);
  }

  private prepare(call: GraphqlCall): PreparedCall | RefusedCall {
    const { query, variables, operationName } = call.request;
    const fail = (errors: readonly GraphQLError[], isRequestError = true) => ({ errors, isRequestError });
    const parsed = this.documents.get(query);
    if ("errors" in parsed) return fail(parsed.errors);
    const operation = getOperationAST(parsed.document, operationName);
    if (operation == null)
      return fail([
        new GraphQLError(
          operationName === null
            ? "A document with several operations needs operationName."
            : `Unknown operation named "${operationName.slice(0, 100)}".`,
        ),
      ]);
    const coerced = getVariableValues(this.schema, operation.variableDefinitions ?? [], variables, { maxErrors: 20 });
    if (coerced.errors !== undefined) return fail(coerced.errors);
    try {
      const facts = checkDocument(this.schema, parsed.document, operation, coerced.variableValues.coerced);
      const missing = findMissingScopes(call, facts.needs);
      if (missing.length > 0)
        return fail(
          [new GraphQLError(`Missing required scope(s): ${missing.join(", ")}`, { extensions: { code: "FORBIDDEN" } })],
          false,
        );
      const { cost, fields, isOnlySchema } = facts;
      const isQuery = operation.operation === "query";
      const { document } = parsed;
      return { document, operation, variables: coerced.variableValues, cost, fields, isQuery, isOnlySchema };
    } catch (error) {
      if (error instanceof GraphQLError) return fail([error]);
      throw error;
    }
  }
}

/** Errors of the moment: the same call may work later. */
const isPassing = (error: unknown): boolean => error instanceof Unavailable || error instanceof TooManyRequests;

const buildContext = (
  { engine, identity, domain, buildStorage, loadAccounts }: GraphqlCall,
  own: Pick<CallContext, "by" | "cost" | "budget">,
): CallContext => ({ engine, identity, domain, buildStorage, loadAccounts, batches: new Batches(), ...own });

function findMissingScopes({ identity, by }: GraphqlCall, needs: readonly (readonly ScopeNeed[])[]): string[] {
  return needs
    .filter((each) => !each.some(({ type, action }) => allows(identity.scopes, type, action, by.account)))
    .map(([first]) => `${first?.type}:${first?.action}`);
}

async function buildBody(
  { by, requestId, report }: GraphqlCall,
  { data, errors }: ExecutionResult,
  isOverTime: boolean,
  size = 0,
): Promise<string> {
  const formatted = errors?.map((error) =>
    formatError(error, { language: by.language, requestId, isOverTime, report }),
  );
  const response = {
    ...(formatted === undefined ? {} : { errors: formatted }),
    ...(data === undefined ? {} : { data }),
  };
  return size < largeResponse ? JSON.stringify(response) : writeResponse(response, turns);
}

/** The client of a call as the database sees it: it is gone when the client disconnected, or after the time limit. */
class Deadline implements ClientConnection {
  isOver = false;
  private readonly client: ClientConnection | undefined;
  private readonly acts = new Set<() => void>();
  private readonly timer: NodeJS.Timeout;

  constructor(client: ClientConnection | undefined, timeLimit: number) {
    this.client = client;
    this.timer = setTimeout(() => {
      this.isOver = true;
      for (const act of this.acts) act();
    }, timeLimit);
  }

  isGone(): boolean {
    return this.isOver || (this.client?.isGone() ?? false);
  }

  onGone(act: () => void): () => void {
    this.acts.add(act);
    const stop = this.client?.onGone(act);
    return () => {
      this.acts.delete(act);
      stop?.();
    };
  }

  end(): void {
    clearTimeout(this.timer);
  }
}
