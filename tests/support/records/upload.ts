import type { Client } from "../world.ts";

/** Uploads a text file the way clients do; answers its key. */
export async function uploadTextFile(by: Client, name: string, content: string): Promise<string> {
  const { body: storage } = await by.get("/attachments/storage");
  const form = new FormData();
  form.set("Content-Type", "text/plain");
  for (const [field, value] of Object.entries(storage.local)) form.set(field, String(value));
  form.set("file", new Blob([content]), name);
  return (await by.post("/attachments", form)).body.key;
}
