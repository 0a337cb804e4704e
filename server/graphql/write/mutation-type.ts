import {
  GraphQLBoolean,
  type GraphQLFieldConfig,
  type GraphQLFieldConfigMap,
  type GraphQLFieldResolver,
  type GraphQLInputObjectType,
  GraphQLInterfaceType,
  GraphQLNonNull,
  GraphQLObjectType,
  type GraphQLOutputType,
  GraphQLString,
} from "graphql";
import { formatFieldMessage } from "../../../records/languages/index.ts";
import { Invalid, NotFound } from "../../base/errors.ts";
import type { TimeSlices } from "../../base/time-slices.ts";
import { createInTransaction } from "../../engine/create.ts";
import { deleteRecord } from "../../engine/delete.ts";
import { requireNoteAccess } from "../../engine/find.ts";
import type { Type } from "../../engine/types.ts";
import type { CallContext } from "../call-context.ts";
import type { MutationField, ScopeNeed } from "../model/access-needs.ts";
import { isWritable } from "../model/input-fields.ts";
import { pickRecordName, pickTypeName, toMemberName } from "../model/names.ts";
import { parseIdOf, parseNodeId } from "../read/record-source.ts";
import { loadRecord } from "../read/resolvers.ts";
import { defineObject } from "../schema/output-types.ts";
import { nonNullList, type SchemaContext } from "../schema/schema-context.ts";
import { defineDeleteInput, defineSaveInput, noteCreateInput } from "../schema/write-inputs.ts";
import type { MutationInput } from "./read-input.ts";
import { defineActionInput, type RecordAction, recordActions } from "./record-actions.ts";
import { InvalidInput, type SavedRecord, saveRecord } from "./save-record.ts";

// The mutations: create, update and delete where REST has them.

type Payload = {
  clientMutationId: string | null;
  errors: readonly { message: string; path: readonly string[] }[] | null;
  saved?: SavedRecord | null;
  success?: boolean;
};
type MutationConfig = GraphQLFieldConfig<unknown, CallContext>;

const validationError = new GraphQLObjectType({
  name: "ValidationError",
  description: "What is wrong with a member of the input.",
  fields: {
    message: { type: new GraphQLNonNull(GraphQLString), description: "In the language of the person." },
    path: { type: nonNullList(GraphQLString), description: "The member; empty: the record as a whole." },
  },
});

const payloadFields = {
  clientMutationId: { type: GraphQLString, description: "As it was sent." },
  errors: { type: nonNullList(validationError), description: "Why nothing was saved; null: it was." },
};
const mutationPayload = new GraphQLInterfaceType({
  name: "MutationPayload",
  description: "What every mutation returns.",
  fields: payloadFields,
});

/** Responses to a create that show more than the record does later. */
const createResponses: Record<string, { name: string; adds: readonly string[] }> = {
  webhook_policy: { name: "WebhookPolicyCreateResponse", adds: ["public_key_pem"] },
};

export async function buildMutationType(context: SchemaContext, slices: TimeSlices): Promise<GraphQLObjectType> {
  const fields: GraphQLFieldConfigMap<unknown, CallContext> = {};
  for (const type of context.engine.types.all.filter(isWritable)) {
    await slices.pause();
    const name = pickRecordName(type.name);
    fields[`${name}Create`] = buildSave(context, type, "create");
    fields[`${name}Update`] = buildSave(context, type, "update");
    if (type.deletion.deletable !== false) fields[`${name}Delete`] = buildDelete(context, type);
  }
  if (context.engine.types.has("note")) fields.noteCreate = buildNoteCreate(context);
  for (const action of recordActions)
    if (context.engine.types.has(action.type)) fields[action.name] = buildAction(context, action);
  const sorted = Object.fromEntries(Object.entries(fields).sort(([a], [b]) => (a < b ? -1 : 1)));
  return new GraphQLObjectType({
    name: "Mutation",
    description: "What can be changed. Each field is a transaction of its own.",
    fields: sorted,
  });
}

const takesInput = (type: GraphQLInputObjectType) => ({
  input: { type: new GraphQLNonNull(type), description: "What is changed." },
});

const needScope = (type: Type, action: ScopeNeed["action"]): { mutation: MutationField } => ({
  mutation: { scope: [{ type: type.scopeName, action }] },
});

function definePayload(
  name: string,
  member: string,
  type: GraphQLOutputType,
  resolve: GraphQLFieldResolver<Payload, CallContext>,
): GraphQLObjectType {
  return new GraphQLObjectType<Payload, CallContext>({
    name,
    description: "What the mutation did.",
    interfaces: [mutationPayload],
    fields: { ...payloadFields, [member]: { type, description: "The result; null: nothing was saved.", resolve } },
  });
}

/** The saved record with what is selected of it. Who may save a record sees what was saved. */
const resolveSaved =
  (type: Type, objectName: string): GraphQLFieldResolver<Payload, CallContext> =>
  async ({ saved }, _given, context, info) => {
    if (saved == null) return null;
    const record = await loadRecord(context, info, type, saved.id, true, objectName);
    return record === null ? null : { ...record, data: { ...record.data, ...saved.revealed } };
  };

function buildSave(context: SchemaContext, type: Type, purpose: "create" | "update"): MutationConfig {
  const typeName = pickTypeName(type.name);
  const verb = purpose === "create" ? "Create" : "Update";
  const response = purpose === "create" ? createResponses[type.name] : undefined;
  const object = response === undefined ? defineObject(context, type) : defineResponse(context, type, response);
  return {
    type: definePayload(
      `${typeName}${verb}Payload`,
      pickRecordName(type.name),
      object,
      resolveSaved(type, response?.name ?? typeName),
    ),
    description: `${purpose === "create" ? "Creates" : "Changes"} a ${typeName}.`,
    args: takesInput(defineSaveInput(context, type, purpose)),
    extensions: needScope(type, verb),
    resolve: (_source, given, call) => {
      const { input } = given as { input: MutationInput };
      return answer(call, input, async () => {
        const id = purpose === "create" ? null : requireId(call, type, input.id);
        return { saved: await saveRecord(call, type, id, input) };
      });
    },
  };
}

function defineResponse(
  context: SchemaContext,
  type: Type,
  { name, adds }: { name: string; adds: readonly string[] },
): GraphQLObjectType {
  return context.define(name, () => {
    const { fields, interfaces: _interfaces, ...config } = defineObject(context, type).toConfig();
    const added = adds.map((member) => [
      toMemberName(member),
      {
        type: GraphQLString,
        description: "Shown once.",
        resolve: ({ data }: { data: Record<string, unknown> }) => data[member] ?? null,
      },
    ]);
    return new GraphQLObjectType({ ...config, name, fields: { ...fields, ...Object.fromEntries(added) } });
  });
}

function buildDelete(context: SchemaContext, type: Type): MutationConfig {
  const typeName = pickTypeName(type.name);
  return {
    type: definePayload(
      `${typeName}DeleteMutationPayload`,
      "success",
      GraphQLBoolean,
      ({ success }) => success ?? null,
    ),
    description: `Deletes a ${typeName}.`,
    args: takesInput(defineDeleteInput(context, type)),
    extensions: needScope(type, "Delete"),
    resolve: (_source, given, call) => {
      const { input } = given as { input: MutationInput };
      return answer(call, input, async () => {
        await deleteRecord(call.engine, call.by, type, requireId(call, type, input.id));
        return { success: true };
      });
    },
  };
}

/** A note is created below its owner, like POST /<collection>/:id/notes. */
function buildNoteCreate(context: SchemaContext): MutationConfig {
  const note = context.engine.types.get("note");
  return {
    type: definePayload("NoteCreatePayload", "note", defineObject(context, note), resolveSaved(note, "Note")),
    description: "Adds a note to a record.",
    args: takesInput(noteCreateInput),
    extensions: needScope(note, "Create"),
    resolve: (_source, given, call) => {
      const { input } = given as { input: MutationInput };
      return answer(call, input, async () => {
        const { engine, by, domain } = call;
        const owner = parseNodeId(String(input.ownerId), domain, engine.types);
        if (owner === null || !note.ownedBy.includes(owner.type.name)) throw new NotFound();
        const members = {
          text: input.text,
          ...(input.internal === undefined ? {} : { internal: input.internal }),
          ...(input.attachments === undefined ? {} : { attachments: input.attachments }),
          ...(input.suppressNoteAddedNotifications === undefined
            ? {}
            : { suppress_note_added_notifications: input.suppressNoteAddedNotifications }),
        };
        return engine.database.transaction(async (tx) => {
          const account = await requireNoteAccess(engine, by, owner.type, owner.id, tx);
          const parent = { fixed: { [owner.type.name]: owner.id }, account };
          const { id } = await createInTransaction({ engine, tx, by, type: note }, { members }, parent);
          return { saved: { id, revealed: {} } };
        }, by.zone);
      });
    },
  };
}

/** A change that REST does not have; its payload shows the record, or whether it was done. */
function buildAction(context: SchemaContext, action: RecordAction): MutationConfig {
  const type = context.engine.types.get(action.type);
  const payload = action.showsRecord
    ? definePayload(
        `${action.typeName}Payload`,
        pickRecordName(type.name),
        defineObject(context, type),
        resolveSaved(type, pickTypeName(type.name)),
      )
    : definePayload(`${action.typeName}Payload`, "success", GraphQLBoolean, ({ success }) => success ?? null);
  return {
    type: payload,
    description: action.description,
    args: takesInput(defineActionInput(action)),
    extensions: needScope(type, "Update"),
    resolve: (_source, given, call) => {
      const { input } = given as { input: MutationInput };
      return answer(call, input, async () => {
        const id = requireId(call, type, input.id);
        await action.run(call, id, input);
        return action.showsRecord ? { saved: { id, revealed: {} } } : { success: true };
      });
    },
  };
}

function requireId({ domain, engine }: CallContext, type: Type, given: unknown): number {
  const id = parseIdOf(String(given), type, domain, engine.types);
  if (id === null) throw new NotFound();
  return id;
}

/** Problems with the values are part of the payload; all others are errors of the field. */
async function answer(
  { by }: CallContext,
  input: MutationInput,
  work: () => Promise<Pick<Payload, "saved" | "success">>,
): Promise<Payload> {
  const clientMutationId = (input.clientMutationId as string | null | undefined) ?? null;
  try {
    return { clientMutationId, errors: null, ...(await work()) };
  } catch (error) {
    const problems =
      error instanceof InvalidInput
        ? error.problems
        : error instanceof Invalid
          ? error.problems.map((problem) => ({
              path: problem[0] === "base" ? [] : [toMemberName(problem[0])],
              problem,
            }))
          : null;
    if (problems === null) throw error;
    const errors = problems.map(({ path, problem }) => ({ path, message: formatFieldMessage(by.language, problem) }));
    return { clientMutationId, errors, saved: null, success: false };
  }
}
