import { GraphQLBoolean, GraphQLID, GraphQLInputObjectType, GraphQLNonNull, GraphQLString } from "graphql";
import { markArticleAsReviewed, publishAppOffering, setRequestVisibility } from "../../actions/record-actions.ts";
import type { CallContext } from "../call-context.ts";
import type { MutationInput } from "./read-input.ts";

// Mutations that are neither create, update nor delete.

export type RecordAction = {
  name: string;
  type: string;
  /** what the names of its input and its payload begin with */
  typeName: string;
  description: string;
  showsRecord: boolean;
  /** inputs beside the id */
  inputs: Readonly<Record<string, typeof GraphQLString | typeof GraphQLBoolean>>;
  run(call: CallContext, id: number, input: MutationInput): Promise<void>;
};

export const recordActions: readonly RecordAction[] = [
  {
    name: "appOfferingPublish",
    type: "app_offering",
    typeName: "AppOfferingPublishMutation",
    description: "Offers an app to the accounts that trust this one.",
    showsRecord: true,
    inputs: {},
    run: ({ engine, by }, id) => publishAppOffering(engine, by, id),
  },
  {
    name: "knowledgeArticleMarkAsReviewed",
    type: "knowledge_article",
    typeName: "KnowledgeArticleMarkAsReviewed",
    description: "Records that an article still holds.",
    showsRecord: true,
    inputs: {},
    run: ({ engine, by }, id) => markArticleAsReviewed(engine, by, id),
  },
  {
    name: "requestUpdateVisibility",
    type: "request",
    typeName: "RequestUpdateVisibility",
    description: "Shows a request to the account of a customer, or hides it again.",
    showsRecord: false,
    inputs: { accountID: GraphQLString, visible: GraphQLBoolean },
    run: ({ engine, by }, id, { accountID, visible }) =>
      setRequestVisibility(engine, by, id, {
        account: (accountID as string | null | undefined) ?? null,
        isVisible: visible !== false,
      }),
  },
];

export const defineActionInput = ({ typeName, inputs }: RecordAction): GraphQLInputObjectType =>
  new GraphQLInputObjectType({
    name: `${typeName}Input`,
    description: "What is changed.",
    fields: {
      clientMutationId: { type: GraphQLString, description: "Comes back in the payload." },
      id: { type: new GraphQLNonNull(GraphQLID), description: "The record." },
      ...Object.fromEntries(
        Object.entries(inputs).map(([name, type]) => [name, { type, description: descriptions[name] ?? name }]),
      ),
    },
  });

const descriptions: Record<string, string> = {
  accountID: "The id of the account.",
  visible: "Whether it sees the request; true by default.",
};
