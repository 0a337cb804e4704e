import { BadRequest } from "../base/errors.ts";
import type { Types } from "../engine/types.ts";

// The topics of a stream: "inbox", "record/<type>/<id>", "list/<type>".

export type Topics = {
  inbox: boolean;
  /** "<type>/<id>" */
  records: Set<string>;
  /** names of types */
  lists: Set<string>;
};

const maxRecords = 20;
const maxLists = 20;
const maxLength = 2000;

export function parseTopics(types: Types, text: string): Topics {
  const topics: Topics = { inbox: false, records: new Set(), lists: new Set() };
  if (text.length > maxLength) throw new BadRequest("Invalid value for parameter 'topics'");
  for (const topic of text.split(",").map((each) => each.trim())) {
    if (topic === "") continue;
    const [kind, name = "", id, ...rest] = topic.split("/");
    const isKnown = types.has(name) && !types.get(name).routes.singleton && !types.get(name).storage.virtual;
    if (topic === "inbox") topics.inbox = true;
    else if (kind === "list" && id === undefined && isKnown) topics.lists.add(name);
    else if (
      kind === "record" &&
      isKnown &&
      rest.length === 0 &&
      /^[1-9]\d{0,9}$/.test(id ?? "") &&
      Number(id) < 2 ** 31
    )
      topics.records.add(`${name}/${id}`);
    else throw new BadRequest(`Invalid value for parameter 'topics': ${topic.slice(0, 100)}`);
  }
  if (topics.records.size > maxRecords) throw new BadRequest(`Parameter 'topics' has more than ${maxRecords} records`);
  if (topics.lists.size > maxLists) throw new BadRequest(`Parameter 'topics' has more than ${maxLists} lists`);
  return topics;
}

export function parseRecordTopic(topic: string): { type: string; id: number } {
  const [type = "", id] = topic.split("/");
  return { type, id: Number(id) };
}
