import type { Client, World } from "../world.ts";

/** Uploads a text file as clients do and returns its key. */
export async function uploadTextFile(by: Client, name: string, content: string): Promise<string> {
  const { body: storage } = await by.get("/attachments/storage");
  const form = new FormData();
  form.set("Content-Type", "text/plain");
  for (const [field, value] of Object.entries(storage.local)) form.set(field, String(value));
  form.set("file", new Blob([content]), name);
  return (await by.post("/attachments", form)).body.key;
}

/** Stores a draft of the person that names an uploaded file, as the web interface does. */
export const keepDraft = (the: Pick<World, "sql" | "clock">, person: number, key: string) =>
  the.sql(
    `INSERT INTO kept_items (account_id, owner, kind, key, value, person_id, updated_at)
     VALUES ('widget-it', $1, 'draft', $2, $3, $4, $5)`,
    [
      `me ${person}`,
      `request/1/${key.slice(-100)}`,
      JSON.stringify({ text: "", files: [{ key, name: "a.txt", size: 5 }] }),
      person,
      the.clock.now().toISOString(),
    ],
  );
