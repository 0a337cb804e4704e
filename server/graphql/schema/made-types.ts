import {
  GraphQLBoolean,
  type GraphQLFieldConfigMap,
  GraphQLID,
  GraphQLInputObjectType,
  type GraphQLInputType,
  GraphQLInt,
  GraphQLList,
  GraphQLNonNull,
  GraphQLObjectType,
  type GraphQLOutputType,
  type GraphQLScalarType,
  GraphQLString,
} from "graphql";
import type { Type } from "../../engine/types.ts";
import type { CallContext } from "../call-context.ts";
import type { MadeField, MadeInput } from "../model/made-fields.ts";
import { resolveReferenceTo } from "../read/resolvers.ts";
import { defineConnection } from "./connections.ts";
import { dateScalar, decimalScalar, jsonScalar, timeScalar, timestampScalar } from "./scalars.ts";
import { nonNullList, type SchemaContext } from "./schema-context.ts";

// The types of fields and inputs that are made of values which REST has in another form.

type DefineObject = (context: SchemaContext, type: Type) => GraphQLObjectType;
type Fields = GraphQLFieldConfigMap<Record<string, unknown>, CallContext>;

const define = (context: SchemaContext, name: string, description: string, buildFields: () => Fields) =>
  context.define(name, () => new GraphQLObjectType({ name, description, fields: buildFields }));

const contactProtocols = ["chat", "email", "telephone", "website"];

/** `defineObject`: defines the object type of records */
export function pickMadeOutput(
  context: SchemaContext,
  { make, target }: MadeField,
  defineObject: DefineObject,
): GraphQLOutputType {
  switch (make) {
    case "activity ids":
      return define(context, "ActivityID", "The activities of an agreement for billing.", () =>
        Object.fromEntries(
          activityKinds.map((kind) => [kind, { type: GraphQLString, description: `For requests: ${kind}.` }]),
        ),
      );
    case "code":
      return defineObject(context, context.engine.types.get(target as string));
    case "decimal":
      return decimalScalar as GraphQLScalarType;
    case "feedback":
      return defineFeedback(context);
    case "json":
      return jsonScalar as GraphQLScalarType;
    case "languages":
      return nonNullList(GraphQLString);
    case "note":
      return defineObject(context, context.engine.types.get("note"));
    case "permissions":
      return new GraphQLNonNull(defineConnection(context, "Permission", () => definePermission(context, defineObject)));
    case "protocol":
      return context.enumerations.get("contact.protocol", contactProtocols);
    case "recurrence":
    case "recurrence template":
      return defineRecurrence(context, make === "recurrence" ? "Recurrence" : "RecurrenceTemplate", defineObject);
    case "visibility":
      return context.enumerations.get("note.visibility");
    default:
      return GraphQLString;
  }
}

const activityKinds = ["case", "high", "low", "medium", "rfc", "rfi", "top"];

function defineFeedback(context: SchemaContext): GraphQLObjectType {
  const urls = define(context, "FeedbackUrls", "Where a person says how satisfied they are.", () => ({
    dissatisfiedUrl: { type: GraphQLString, description: "For those who are not." },
    satisfiedUrl: { type: GraphQLString, description: "For those who are." },
  }));
  return define(context, "Feedback", "Links for the feedback on a request.", () => ({
    requestedBy: { type: urls, description: "For the person who asked." },
    requestedFor: { type: urls, description: "For the person for whom it was asked." },
  }));
}

const definePermission = (context: SchemaContext, defineObject: DefineObject): GraphQLObjectType =>
  define(context, "Permission", "The roles of a person in an account.", () => ({
    account: {
      type: defineObject(context, context.engine.types.get("account")),
      description: "The account.",
      extensions: { graph: { is: "account", name: "account", description: "" } },
      resolve: ({ account }, _given, call, info) => resolveReferenceTo(call, info, "account", account),
    },
    roles: {
      type: nonNullList(context.enumerations.get("permission.role")),
      description: "The roles in it.",
    },
  }));

function defineRecurrence(
  context: SchemaContext,
  name: "Recurrence" | "RecurrenceTemplate",
  defineObject: DefineObject,
): GraphQLObjectType {
  return define(context, name, "When something happens again.", () => {
    const plain: Record<string, GraphQLOutputType> = {
      ...pickRecurrenceScalars(context),
      ...(name === "Recurrence"
        ? {
            ical: GraphQLString,
            lastOccurrenceAt: timestampScalar as GraphQLScalarType,
            lastOccurrenceErrors: GraphQLString,
            nextOccurrenceAt: timestampScalar as GraphQLScalarType,
          }
        : {}),
    };
    const names = Object.keys(plain).filter((each) => name === "Recurrence" || !/^(start|end)Date$/.test(each));
    return {
      calendar: {
        type: defineObject(context, context.engine.types.get("calendar")),
        description: "Only in its hours.",
        extensions: { graph: { is: "reference", name: "calendar", description: "", member: "calendar", targets: [] } },
        resolve: ({ calendar }, _given, call, info) => resolveReferenceTo(call, info, "calendar", calendar),
      },
      ...Object.fromEntries(
        names.map((each) => [each, { type: plain[each] as GraphQLOutputType, description: describeMember(each) }]),
      ),
    };
  });
}

const describeMember = (name: string): string =>
  `${name.charAt(0).toUpperCase()}${name.slice(1).replace(/[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`)}.`;

const pickRecurrenceScalars = ({ enumerations }: SchemaContext) => ({
  day: nonNullList(GraphQLInt),
  dayOfMonth: nonNullList(GraphQLInt),
  dayOfWeek: GraphQLBoolean,
  dayOfWeekDay: enumerations.get("day_names"),
  dayOfWeekIndex: enumerations.get("recurrence.day_of_week_index"),
  disabled: GraphQLBoolean,
  endDate: dateScalar as GraphQLScalarType,
  frequency: enumerations.get("recurrence.frequency"),
  interval: GraphQLInt,
  monthOfYear: nonNullList(GraphQLInt),
  startDate: dateScalar as GraphQLScalarType,
  timeOfDay: timeScalar as GraphQLScalarType,
  timeZone: enumerations.getTimeZone(),
});

export function pickMadeInputType(context: SchemaContext, { make }: MadeInput): GraphQLInputType {
  switch (make) {
    case "activity ids":
      return defineInput(context, "ActivityIDInput", "The activities of an agreement for billing.", () =>
        Object.fromEntries(activityKinds.map((kind) => [kind, GraphQLString])),
      );
    case "added permissions":
    case "permissions":
      return nonNullList(
        defineInput(context, "PermissionInput", "The roles of a person in an account.", () => ({
          accountId: new GraphQLNonNull(GraphQLID),
          roles: nonNullList(context.enumerations.get("permission.role")),
        })),
      );
    case "removed permissions":
      return nonNullList(GraphQLID);
    case "decimal":
      return decimalScalar as GraphQLScalarType;
    case "id of a code":
    case "id of a note":
      return GraphQLID;
    case "languages":
      return new GraphQLList(new GraphQLNonNull(GraphQLString));
    case "protocol":
      return context.enumerations.get("contact.protocol", contactProtocols);
    case "recurrence":
    case "reservation recurrence": {
      const isReservation = make === "reservation recurrence";
      const name = isReservation ? "ReservationRecurrenceInput" : "RecurrenceInput";
      return defineInput(context, name, "When something happens again; what is omitted stays.", () => {
        const { disabled, ...others } = pickRecurrenceScalars(context);
        return isReservation ? others : { ...others, disabled, calendarId: GraphQLID };
      });
    }
    default:
      return GraphQLString;
  }
}

const defineInput = (
  context: SchemaContext,
  name: string,
  description: string,
  buildFields: () => Record<string, GraphQLInputType>,
): GraphQLInputObjectType =>
  context.define(
    name,
    () =>
      new GraphQLInputObjectType({
        name,
        description,
        fields: () =>
          Object.fromEntries(
            Object.entries(buildFields()).map(([each, type]) => [each, { type, description: describeMember(each) }]),
          ),
      }),
  );
