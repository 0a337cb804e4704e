import { type Draft, startDraft } from "../change/draft.ts";
import { mergeBody } from "../change/merge-body.ts";
import { applyOperations } from "../change/patch-operations.ts";
import { ScimError } from "../errors.ts";
import { parseFilter } from "../filter/parse-filter.ts";
import type { Resource } from "../schema/attribute.ts";
import { groupResource } from "../schema/group.ts";
import { userResource } from "../schema/user.ts";
import { changeGroup, createGroup, deleteGroup, findGroup } from "../store/groups.ts";
import { listResources } from "../store/list.ts";
import type { Stored } from "../store/stored.ts";
import { changeUser, createUser, deleteUser, findUser } from "../store/users.ts";
import { buildVersion } from "../store/write.ts";
import { readId, readVersions, type ScimAnswer, type ScimCall } from "./call.ts";
import { type ListParameters, readListParameters, readMember, readNames, readParameter } from "./list-parameters.ts";
import { renderList, renderResource } from "./render.ts";
import { isSelected, readSelection, type Selection } from "./selection.ts";

// Calls of /Users and /Groups.

/** The response to a change of a large group omits its members, unless they are selected. */
const maxMembersInAnswers = 1000;

export const resourceOf = (word: string | undefined): Resource | null =>
  word === "Users" ? userResource : word === "Groups" ? groupResource : null;

export async function answerCollection(call: ScimCall, resource: Resource): Promise<ScimAnswer> {
  if (call.method === "GET") return answerList(call, resource, readListParameters(readParameter(call.query)));
  if (call.method !== "POST") throw refuseMethod("GET, POST");
  const draft = startDraft(null);
  mergeBody(resource, draft, call.readBody(), "replace");
  const { scim, actor } = call;
  const stored =
    resource.name === "User" ? await createUser(scim, actor, draft) : await createGroup(scim, actor, draft);
  const answer = await answerStored(call, resource, stored, 201);
  return { ...answer, headers: { ...answer.headers, Location: `${call.base}${resource.endpoint}/${stored.id}` } };
}

export async function answerResource(call: ScimCall, resource: Resource, word: string): Promise<ScimAnswer> {
  const { scim, actor, method } = call;
  const isUser = resource.name === "User";
  const id = readId(word, isUser ? "user" : "group");
  const versions = readVersions(call, "if-match");
  switch (method) {
    case "GET": {
      const withMembers = isSelected(readSelectionOf(call, resource), "members");
      const stored = isUser
        ? await findUser(scim, actor.account, id)
        : await findGroup(scim, actor.account, id, withMembers);
      const known = readVersions(call, "if-none-match");
      const version = buildVersion(stored);
      if (known?.some((each) => each === "*" || each === version))
        return { status: 304, body: null, headers: { ETag: version } };
      return answerStored(call, resource, stored, 200);
    }
    case "PUT":
    case "PATCH": {
      const change = readChange(call, resource);
      const stored = isUser
        ? await changeUser(scim, actor, id, versions, change)
        : await changeGroup(scim, actor, id, versions, change);
      return answerStored(call, resource, stored, 200);
    }
    case "DELETE":
      await (isUser ? deleteUser(scim, actor, id, versions) : deleteGroup(scim, actor, id, versions));
      return { status: 204, body: null };
    default:
      throw refuseMethod("GET, PUT, PATCH, DELETE");
  }
}

export const refuseMethod = (allowed: string): ScimError & { allowed: string } =>
  Object.assign(new ScimError(405, null, "The method is not allowed here."), { allowed });

/** A body with operations is a patch of RFC 7644; any other names what changes. */
function readChange(call: ScimCall, resource: Resource): (draft: Draft) => void {
  const body = call.readBody();
  const operations = readMember(body)("Operations");
  if (call.method === "PATCH" && operations !== undefined)
    return (draft) => applyOperations(resource, draft, operations);
  return (draft) => mergeBody(resource, draft, body, call.method === "PUT" ? "replace" : "add");
}

const readSelectionOf = ({ query }: ScimCall, resource: Resource): Selection => {
  const given = readParameter(query);
  return readSelection(
    resource,
    readNames(given("attributes"), "attributes"),
    readNames(given("excludedAttributes"), "excludedAttributes"),
  );
};

async function answerStored(call: ScimCall, resource: Resource, stored: Stored, status: number): Promise<ScimAnswer> {
  const selection = readSelectionOf(call, resource);
  const wantsMembers =
    resource.name === "Group" &&
    isSelected(selection, "members") &&
    (selection.only !== null || stored.membersCount <= maxMembersInAnswers);
  const shown =
    wantsMembers && stored.related === null
      ? { ...(await findGroup(call.scim, call.actor.account, stored.id, true)) }
      : stored;
  const body = renderResource(resource, shown, call.base, selection);
  return { status, body, headers: { ETag: buildVersion(shown) } };
}

/** `POST …/.search` of one kind of resource, or of both. */
export async function answerSearch(call: ScimCall, resources: readonly Resource[]): Promise<ScimAnswer> {
  if (call.method !== "POST") throw refuseMethod("POST");
  const parameters = readListParameters(readMember(call.readBody()));
  const [first, second] = resources as [Resource, Resource | undefined];
  return second === undefined
    ? answerList(call, first, parameters)
    : answerMixedList(call, [first, second], parameters);
}

async function answerList(call: ScimCall, resource: Resource, parameters: ListParameters): Promise<ScimAnswer> {
  const { total, shown } = await loadPage(call, resource, parameters);
  return { status: 200, body: renderList(shown, { total, startIndex: parameters.startIndex }) };
}

async function loadPage({ scim, actor, base }: ScimCall, resource: Resource, parameters: ListParameters) {
  const { filter, startIndex, count, attributes, excludedAttributes } = parameters;
  const selection = readSelection(resource, attributes, excludedAttributes, resource.omittedFromLists);
  const page = await listResources(scim, resource, actor.account, {
    filter: filter === null ? null : parseFilter(resource, filter),
    startIndex,
    count,
    withMembers: isSelected(selection, "members"),
  });
  return {
    total: page.total,
    shown: page.resources.map((stored) => renderResource(resource, stored, base, selection)),
  };
}

/** Users first, then groups. A filter may name attributes that only one of them has: the other has no such resource. */
async function answerMixedList(
  call: ScimCall,
  [users, groups]: readonly [Resource, Resource],
  parameters: ListParameters,
): Promise<ScimAnswer> {
  const { startIndex, count, filter } = parameters;
  const errors: unknown[] = [];
  const load = async (resource: Resource, from: number, most: number) => {
    try {
      if (filter !== null) parseFilter(resource, filter);
    } catch (error) {
      errors.push(error);
      return { total: 0, shown: [] };
    }
    return loadPage(call, resource, { ...parameters, startIndex: Math.max(1, from), count: most });
  };
  const first = await load(users, startIndex, count);
  const second = await load(groups, startIndex - first.total, count - first.shown.length);
  if (errors.length === 2) throw errors[0];
  const body = renderList([...first.shown, ...second.shown], { total: first.total + second.total, startIndex });
  return { status: 200, body };
}
