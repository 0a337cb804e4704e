import type { FastifyReply } from "fastify";
import { endSession } from "../oauth/sessions.ts";
import { type Candidate, signIn, tryPassword } from "../oauth/sign-in.ts";
import { sameText, signed } from "../oauth/tokens.ts";
import { formTarget, goTo, show } from "./answer.ts";
import { clearCookie, setCookie } from "./cookies.ts";
import { alert, field } from "./fields.ts";
import { html, type Part } from "./html.ts";
import { button, csrfField, layout } from "./layout.ts";
import { requestIn } from "./prompt-address.ts";
import { afterSignIn, ownPath } from "./return-to.ts";
import type { PageRoutes } from "./routes.ts";
import { sessionCookie, type Visit } from "./visit.ts";
import { waitText } from "./wait-text.ts";

const month = 30 * 24 * 3600;
const choiceSeconds = 300;

type Shown = { status?: number; email?: string; returnTo: string | null; problem?: Part; notice?: Part };

async function signInPage(visit: Visit, shown: Shown): Promise<FastifyReply> {
  const { status = 200, email = "", returnTo, problem, notice } = shown;
  // Signing in may lead on to an application that was allowed before.
  const pending = await requestIn(visit.oauth, returnTo);
  const body = html`<div class="card">
<h1>Sign in</h1>
${pending !== null && html`<p>to go on to <strong>${pending.name}</strong></p>`}
${problem !== undefined && alert(problem)}
<form method="post" action="/sign_in" class="full">
${csrfField(visit)}
<input type="hidden" name="return_to" value="${returnTo ?? ""}">
${field([], { name: "email", label: "E-mail address", type: "email", value: email, autocomplete: "username", required: true, autofocus: email === "" })}
${field([], { name: "password", label: "Password", type: "password", autocomplete: "current-password", required: true, autofocus: email !== "" })}
<button>Sign in</button>
</form>
<p><a href="/password_reset">Forgot your password?</a></p>
</div>`;
  const targets = pending === null ? [] : [formTarget(pending.redirect_uri)];
  return show(
    visit.reply,
    layout(visit, { title: "Sign in", body, narrow: true, notice: notice ?? null }),
    status,
    targets,
  );
}

/** The people whose password was right, signed, so that the choice needs no password again. */
function choiceToken(visit: Visit, people: readonly Candidate[]): string {
  const ends = visit.oauth.clock.now().getTime() + choiceSeconds * 1000;
  const text = Buffer.from(JSON.stringify({ people, ends })).toString("base64url");
  return `${text}.${signed(visit.oauth.secret, "choice of account", `${text} ${visit.csrf}`)}`;
}

function chosenFrom(visit: Visit, token: string): Candidate[] {
  const [text = "", signature = ""] = token.split(".");
  if (!sameText(signature, signed(visit.oauth.secret, "choice of account", `${text} ${visit.csrf}`))) return [];
  const { people, ends } = JSON.parse(Buffer.from(text, "base64url").toString()) as {
    people: Candidate[];
    ends: number;
  };
  return visit.oauth.clock.now().getTime() < ends ? people : [];
}

async function choicePage(visit: Visit, people: readonly Candidate[], returnTo: string | null): Promise<FastifyReply> {
  const pending = await requestIn(visit.oauth, returnTo);
  const choices = people.map(
    ({ account, accountName }, index) =>
      html`<label class="check"><input type="radio" name="account" value="${account}" required${index === 0 && html` checked`}> ${accountName}</label>`,
  );
  const body = html`<div class="card">
<h1>Which account?</h1>
<p>Your e-mail address is registered in several accounts.</p>
<form method="post" action="/sign_in" class="full">
${csrfField(visit)}
<input type="hidden" name="return_to" value="${returnTo ?? ""}">
<input type="hidden" name="choice" value="${choiceToken(visit, people)}">
<fieldset class="field"><legend>Account</legend><div class="choices">${choices}</div></fieldset>
<button>Go on</button>
</form>
</div>`;
  const targets = pending === null ? [] : [formTarget(pending.redirect_uri)];
  return show(visit.reply, layout(visit, { title: "Which account?", body, narrow: true }), 200, targets);
}

async function enter(visit: Visit, person: Candidate, returnTo: string | null): Promise<FastifyReply> {
  const secret = await signIn(visit.oauth, person, visit, visit.secret);
  setCookie(visit, sessionCookie, secret, month);
  return goTo(visit.reply, afterSignIn(returnTo));
}

export function signInPages({ get, post, postSignedIn }: PageRoutes): void {
  get("/sign_in", async (visit) => {
    const returnTo = ownPath(visit.query.get("return_to"));
    if (visit.session !== null) return goTo(visit.reply, afterSignIn(returnTo));
    const notice = visit.query.get("done") === "password" ? "Your password has been changed. Sign in with it." : null;
    return signInPage(visit, { returnTo, notice });
  });

  post("/sign_in", async (visit, form) => {
    const returnTo = ownPath(form.get("return_to"));
    const choice = form.get("choice");
    if (choice !== null) {
      const chosen = chosenFrom(visit, choice).find(({ account }) => account === form.get("account"));
      if (chosen !== undefined) return enter(visit, chosen, returnTo);
      return signInPage(visit, { status: 422, returnTo, problem: "That took too long. Sign in again." });
    }
    const [email, password] = [form.get("email") ?? "", form.get("password") ?? ""];
    const attempt = await tryPassword(visit.oauth, email, password, visit.address);
    if (attempt.outcome === "later") {
      const wait = waitText(visit, attempt.until);
      return signInPage(visit, { status: 429, email, returnTo, problem: `Too many attempts. ${wait}` });
    }
    if (attempt.outcome === "wrong")
      return signInPage(visit, {
        status: 422,
        email,
        returnTo,
        problem: "The e-mail address or the password is not right.",
      });
    const [person] = attempt.people;
    return attempt.people.length === 1 ? enter(visit, person, returnTo) : choicePage(visit, attempt.people, returnTo);
  });

  get("/sign_out", async (visit) => {
    if (visit.session === null) return goTo(visit.reply, "/sign_in");
    const body = html`<div class="card"><h1>Sign out?</h1>${button(visit, "/sign_out", "Sign out", "")}</div>`;
    return show(visit.reply, layout(visit, { title: "Sign out", body, narrow: true }));
  });

  postSignedIn("/sign_out", async (visit) => {
    const { id, person } = visit.session;
    await endSession(visit.oauth, person, id, visit.address, "sign-out");
    clearCookie(visit, sessionCookie);
    return goTo(visit.reply, "/sign_in");
  });
}
