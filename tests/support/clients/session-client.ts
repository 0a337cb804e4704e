import { people, type Role } from "../seed.ts";
import { type Client, createClient, type World } from "../world.ts";
import { passwordFor, setPasswords } from "./form-browser.ts";

export type Credentials = { email: string; password: string };

/** Signs in as a browser does, with the person's password, and returns the cookie. */
export const signInForCookie = (the: Pick<World, "url">, role: Role): Promise<string> =>
  signInWithPassword(the, { email: people[role].email, password: passwordFor(role) });

export async function signInWithPassword(the: Pick<World, "url">, credentials: Credentials): Promise<string> {
  const form = await fetch(`${the.url}/sign_in`);
  const jar = form.headers.getSetCookie().map((line) => line.split(";")[0]);
  const csrf = /name="csrf" value="([^"]+)"/.exec(await form.text())?.[1] as string;
  const answer = await fetch(`${the.url}/sign_in`, {
    method: "POST",
    redirect: "manual",
    headers: { Cookie: jar.join("; "), "Content-Type": "application/x-www-form-urlencoded", Origin: the.url },
    body: new URLSearchParams({ csrf, ...credentials }),
  });
  const all = [...jar, ...answer.headers.getSetCookie().map((line) => line.split(";")[0])];
  return [...new Map(all.map((each) => [each?.split("=")[0], each])).values()].join("; ");
}

/** A client of /session-api that sends the cookie and the CSRF token. */
export async function createSessionClient(the: World, cookie: string): Promise<Client> {
  const { body } = await createClient(`${the.url}/session-api`, { Cookie: cookie }).get("/me");
  return createClient(`${the.url}/session-api`, { Cookie: cookie, "X-CSRF-Token": body.csrf_token });
}

export async function signInClient(the: World, role: Role): Promise<Client> {
  await setPasswords(the, role);
  return createSessionClient(the, await signInForCookie(the, role));
}
