import { Parser } from "htmlparser2";
import type { StoredFile } from "../file-store.ts";
import type { S3Client } from "./s3-client.ts";

/** All objects whose keys begin with the prefix, in the order of their keys. */
export async function* listObjects(
  client: Pick<S3Client, "location" | "sendForText">,
  prefix: string,
): AsyncGenerator<StoredFile> {
  const own = client.location.prefix;
  for (let token: string | null = null; ; ) {
    const query: Record<string, string> = {
      "list-type": "2",
      "max-keys": "1000",
      prefix: `${own}${prefix}`,
      ...(token === null ? {} : { "continuation-token": token }),
    };
    const page = parsePage(await client.sendForText({ method: "GET", key: null, query }));
    for (const file of page.files) yield { ...file, key: file.key.slice(own.length) };
    if (page.next === null) return;
    token = page.next;
  }
}

type Page = { files: StoredFile[]; next: string | null };

function parsePage(xml: string): Page {
  const page: Page = { files: [], next: null };
  let text = "";
  let members: Record<string, string> = {};
  const parser = new Parser(
    {
      onopentag: (name) => {
        text = "";
        if (name === "Contents") members = {};
      },
      ontext: (part) => {
        text += part;
      },
      onclosetag: (name) => {
        if (name === "NextContinuationToken") page.next = text;
        else if (name === "Contents")
          page.files.push({
            key: members.Key ?? "",
            size: Number(members.Size),
            modified: new Date(members.LastModified ?? 0),
          });
        else members[name] = text;
      },
    },
    { xmlMode: true, decodeEntities: true },
  );
  parser.end(xml);
  return page;
}
