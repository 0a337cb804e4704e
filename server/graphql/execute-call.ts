import {
  type DocumentNode,
  type ExecutionResult,
  execute,
  GraphQLError,
  type GraphQLSchema,
  getOperationAST,
  getVariableValues,
  type OperationDefinitionNode,
  type SelectionSetNode,
} from "graphql";
import { TooManyRequests, Unavailable } from "../base/errors.ts";
import type { Account, Caller } from "../engine/caller.ts";
import type { Engine } from "../engine/engine.ts";
import type { Identity } from "../oauth/identities.ts";
import { allows } from "../oauth/scopes/scopes.ts";
import type { ClientConnection } from "../storage/database.ts";
import type { CallContext } from "./call-context.ts";
import type { CostStatus } from "./cost-limit.ts";
import { checkDocument } from "./document/check-document.ts";
import { DocumentCache } from "./document/parse-document.ts";
import { pickQueryPlan, type VariableValues } from "./document/query-plan.ts";
import { formatError } from "./errors.ts";
import type { ScopeNeed } from "./model/access-needs.ts";
import { Batches } from "./read/batches.ts";
import { runQuery } from "./read/run-query.ts";

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
  /** logs something unexpected */
  report(error: unknown): void;
};

/** `isRequestError`: the document or its variables are wrong, so nothing ran */
export type GraphqlAnswer = { body: string; isRequestError: boolean; cost: CostStatus };

type PreparedCall = {
  document: DocumentNode;
  operation: OperationDefinitionNode;
  variables: VariableValues;
  cost: number;
  isQuery: boolean;
};
type RefusedCall = { errors: readonly GraphQLError[]; isRequestError: boolean };

export class GraphqlService {
  readonly schema: GraphQLSchema;
  private readonly documents: DocumentCache;

  constructor(schema: GraphQLSchema) {
    this.schema = schema;
    this.documents = new DocumentCache(schema);
  }

  async answer(call: GraphqlCall): Promise<GraphqlAnswer> {
    const prepared = this.prepare(call);
    const cost = await call.spend("errors" in prepared ? 1 : prepared.cost);
    if (cost.retryAfter !== null) throw new TooManyRequests(cost.retryAfter);
    if ("errors" in prepared)
      return buildAnswer(call, { errors: prepared.errors }, cost, false, prepared.isRequestError);
    const deadline = new Deadline(call.by.client, call.seconds * 1000);
    try {
      const by = { ...call.by, customFieldsAsArray: true, client: deadline };
      const { engine, identity, domain, buildStorage, loadAccounts } = call;
      const batches = new Batches();
      const contextValue: CallContext = {
        engine,
        by,
        identity,
        domain,
        buildStorage,
        loadAccounts,
        cost,
        batches,
      };
      const result = await this.run(prepared, call.request, contextValue);
      // Nothing was changed: the same call may work later.
      const unavailable = result.errors?.find(({ originalError }) => originalError instanceof Unavailable);
      if (unavailable !== undefined && prepared.isQuery && !deadline.isOver) throw unavailable.originalError;
      return buildAnswer(call, result, cost, deadline.isOver, false);
    } finally {
      deadline.end();
    }
  }

  private run(prepared: PreparedCall, request: GraphqlRequest, contextValue: CallContext): Promise<ExecutionResult> {
    const { document, operation, variables } = prepared;
    if (prepared.isQuery && !asksForSchema(operation, document))
      return runQuery(pickQueryPlan(this.schema, document, operation, variables), contextValue, variables);
    return Promise.resolve(
      execute({
        schema: this.schema,
        document,
        variableValues: request.variables,
        operationName: request.operationName,
        contextValue,
      }),
    );
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
      const isQuery = operation.operation === "query";
      return { document: parsed.document, operation, variables: coerced.variableValues, cost: facts.cost, isQuery };
    } catch (error) {
      if (error instanceof GraphQLError) return fail([error]);
      throw error;
    }
  }
}

/** Whether a field of the root describes the schema. */
const asksForSchema = ({ selectionSet }: OperationDefinitionNode, { definitions }: DocumentNode): boolean =>
  [
    selectionSet,
    ...definitions.flatMap((each) => (each.kind === "FragmentDefinition" ? [each.selectionSet] : [])),
  ].some((set) => hasSchemaField(set));
const hasSchemaField = ({ selections }: SelectionSetNode): boolean =>
  selections.some((each) =>
    each.kind === "Field"
      ? ["__schema", "__type"].includes(each.name.value)
      : each.kind === "InlineFragment" && hasSchemaField(each.selectionSet),
  );

function findMissingScopes({ identity, by }: GraphqlCall, needs: readonly (readonly ScopeNeed[])[]): string[] {
  return needs
    .filter((each) => !each.some(({ type, action }) => allows(identity.scopes, type, action, by.account)))
    .map(([first]) => `${first?.type}:${first?.action}`);
}

function buildAnswer(
  call: GraphqlCall,
  { data, errors }: ExecutionResult,
  cost: CostStatus,
  isOverTime: boolean,
  isRequestError: boolean,
): GraphqlAnswer {
  const { by, requestId, report } = call;
  const formatted = errors?.map((error) =>
    formatError(error, { language: by.language, requestId, isOverTime, report }),
  );
  const body = JSON.stringify({
    ...(formatted === undefined ? {} : { errors: formatted }),
    ...(data === undefined ? {} : { data }),
  });
  return { body, isRequestError, cost };
}

/** The client of a call as the database sees it: it is gone when the client went away, or after the time limit. */
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
