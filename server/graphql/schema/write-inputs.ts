import {
  GraphQLBoolean,
  GraphQLID,
  type GraphQLInputFieldConfig,
  type GraphQLInputFieldConfigMap,
  GraphQLInputObjectType,
  type GraphQLInputType,
  GraphQLInt,
  GraphQLNonNull,
  GraphQLString,
} from "graphql";
import type { Type } from "../../engine/types.ts";
import { type InputField, listInputFields, pickChildInputName } from "../model/input-fields.ts";
import { pickTypeName } from "../model/names.ts";
import { pickMadeInputType } from "./made-types.ts";
import { jsonScalar } from "./scalars.ts";
import { nonNullList, type SchemaContext } from "./schema-context.ts";

// The inputs of mutations.

const clientMutationId: GraphQLInputFieldConfig = { type: GraphQLString, description: "Comes back in the payload." };

export const attachmentInput = new GraphQLInputObjectType({
  name: "AttachmentInput",
  description: "An uploaded file.",
  fields: {
    inline: { type: GraphQLBoolean, description: "Whether the file is shown inline in the text." },
    key: { type: new GraphQLNonNull(GraphQLString), description: "The key that the upload returned." },
    size: { type: GraphQLInt, description: "The size in bytes." },
  },
});

const customFieldInput = new GraphQLInputObjectType({
  name: "CustomFieldInput",
  description: "The value of a custom field; fields that are not named keep theirs.",
  fields: {
    id: { type: new GraphQLNonNull(GraphQLString), description: "The id of the field in its form." },
    value: { type: jsonScalar, description: "Its value." },
  },
});

export function defineSaveInput(
  context: SchemaContext,
  type: Type,
  purpose: "create" | "update",
): GraphQLInputObjectType {
  const name = `${pickTypeName(type.name)}${purpose === "create" ? "Create" : "Update"}Input`;
  return context.define(
    name,
    () =>
      new GraphQLInputObjectType({
        name,
        description: purpose === "create" ? "The new record." : "What is omitted stays, null clears.",
        fields: () => ({
          clientMutationId,
          ...(purpose === "update" ? { id: { type: new GraphQLNonNull(GraphQLID), description: "The record." } } : {}),
          ...buildFields(context, listInputFields(type, context.engine.types, purpose)),
        }),
      }),
  );
}

export const defineDeleteInput = (context: SchemaContext, type: Type): GraphQLInputObjectType => {
  const name = `${pickTypeName(type.name)}DeleteMutationInput`;
  return context.define(
    name,
    () =>
      new GraphQLInputObjectType({
        name,
        description: "The record that is deleted.",
        fields: { clientMutationId, id: { type: new GraphQLNonNull(GraphQLID), description: "The record." } },
      }),
  );
};

export const noteCreateInput = new GraphQLInputObjectType({
  name: "NoteCreateInput",
  description: "A note that is added to a record.",
  fields: {
    attachments: { type: nonNullList(attachmentInput), description: "Files of the note." },
    clientMutationId,
    internal: { type: GraphQLBoolean, description: "Only for specialists of the account." },
    ownerId: { type: new GraphQLNonNull(GraphQLID), description: "The record that the note is added to." },
    suppressNoteAddedNotifications: { type: GraphQLBoolean, description: "Sends no e-mails about the note." },
    text: { type: new GraphQLNonNull(GraphQLString), description: "The text of the note." },
  },
});

function buildFields(context: SchemaContext, fields: readonly InputField[]): GraphQLInputFieldConfigMap {
  return Object.fromEntries(
    fields.map((field) => [field.name, { type: pickInput(context, field), description: field.description }]),
  );
}

function pickInput(context: SchemaContext, field: InputField): GraphQLInputType {
  switch (field.is) {
    case "value": {
      const plain =
        field.form.is === "texts" ? nonNullList(GraphQLString) : (context.pickScalar(field.form) as GraphQLInputType);
      return field.isRequired ? new GraphQLNonNull(plain as typeof GraphQLString) : plain;
    }
    case "reference":
      return field.isRequired ? new GraphQLNonNull(GraphQLID) : GraphQLID;
    case "owner":
      return GraphQLID;
    case "made": {
      const made = pickMadeInputType(context, field.made);
      return field.made.isRequired ? new GraphQLNonNull(made as typeof GraphQLID) : made;
    }
    case "files":
      return nonNullList(attachmentInput);
    case "custom fields":
      return nonNullList(customFieldInput);
    case "new children":
      return nonNullList(defineChildInput(context, context.engine.types.get(field.of)));
    case "new by name":
      return nonNullList(defineChildInput(context, context.engine.types.get(field.target)));
    default:
      return nonNullList(GraphQLID);
  }
}

const defineChildInput = (context: SchemaContext, type: Type): GraphQLInputObjectType => {
  const name = pickChildInputName(type.name);
  return context.define(
    name,
    () =>
      new GraphQLInputObjectType({
        name,
        description: `A ${pickTypeName(type.name)} of the record.`,
        fields: () => ({
          id: { type: GraphQLID, description: "The one that is changed; without it, a new one is added." },
          ...buildFields(context, listInputFields(type, context.engine.types, "child")),
        }),
      }),
  );
};
