import { register } from "../../records/index.ts";
import type { RecordType } from "../../records/vocabulary/index.ts";

// A record type's folder is its place in the menu, so a new type needs no line here.

const folders = ["work", "people", "configuration", "settings", "journal"] as const;
export type TypeGroup = (typeof folders)[number];

const files = import.meta.glob<Record<string, unknown>>(
  "../../records/{work,people,configuration,settings,journal}/*.ts",
  { eager: true },
);

const folderByType = new Map<unknown, string>();
for (const [path, exports] of Object.entries(files))
  for (const exported of Object.values(exports)) folderByType.set(exported, path.split("/").at(-2) ?? "");

/** The types that have their own list, in the order of the register. */
const listedTypes = register.filter(
  (type) => type.ownedBy.length === 0 && !type.routes.singleton && !type.routes.onlyThroughLinks,
);

export const typeGroups: readonly { group: TypeGroup; types: readonly RecordType[] }[] = folders
  .map((group) => ({ group, types: listedTypes.filter((type) => folderByType.get(type) === group) }))
  .filter(({ types }) => types.length > 0);

const byName = new Map(register.map((type) => [type.name, type]));
const byCollection = new Map(listedTypes.map((type) => [type.collection, type]));

export const findType = (name: string): RecordType | undefined => byName.get(name);
/** A type named by a declaration, so it exists. */
export function getType(name: string): RecordType {
  const type = findType(name);
  if (type === undefined) throw new Error(name);
  return type;
}
export const findTypeByCollection = (collection: string): RecordType | undefined => byCollection.get(collection);
export const hasList = (type: RecordType): boolean => byCollection.get(type.collection) === type;
/** Whether people refer to records of the type by number: requests, problems, tasks and so on. */
export const isNumbered = (type: RecordType): boolean => "subject" in type.fields && "status" in type.fields;
/** Whether a record of the type is created on its own, not below another one or by the service. */
export const isCreatable = (type: RecordType): boolean => !type.storage.journal && type.createdUnder.length === 0;
