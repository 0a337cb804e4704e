import { Button, Modal, PasswordInput, Text, TextInput } from "@mantine/core";
import { type FormEvent, useEffect, useState } from "react";
import { useCurrentAccount } from "../../api/current-account.ts";
import { sessionApi } from "../../api/index.ts";
import { signInPath } from "../../base/paths.ts";
import { errorText } from "../../elements/error-text.ts";
import { t } from "../../languages/index.ts";
import { continueSession } from "../../live/lost-session.ts";
import { leaveWhenConnected } from "../../live/navigation-guard.ts";
import { getFieldError } from "../../parts/forms/field-error.ts";

/** The session has ended: asks for the password in a dialog above the page. */
export function SessionDialog() {
  const { who } = useCurrentAccount();
  const { id, name, email } = who.person;
  const [password, setPassword] = useState("");
  const [code, setCode] = useState("");
  const [asksForCode, setAsksForCode] = useState(false);
  const [error, setError] = useState<unknown>(null);
  const [busy, setBusy] = useState(false);
  const resume = (person: number): void => {
    // Another person has signed in in this browser, and must not see anything on this page.
    if (person === id) continueSession();
    else void leaveWhenConnected(() => location.reload());
  };
  useEffect(() => {
    // Signed in again in another tab.
    const look = () =>
      void sessionApi.resume().then(
        (person) => person !== null && resume(person),
        () => {}, // keep asking for the password
      );
    addEventListener("focus", look);
    return () => removeEventListener("focus", look);
  });
  const submit = async (event: FormEvent) => {
    event.preventDefault();
    setBusy(true);
    setError(null);
    try {
      resume(await sessionApi.signInAgain({ person_id: id, email, password, ...(asksForCode ? { code } : {}) }));
    } catch (problem) {
      const isAboutCode = getFieldError(problem, "code") !== undefined;
      // The first response only reports that a code is required, too.
      setError(isAboutCode && !asksForCode ? null : problem);
      if (isAboutCode) setAsksForCode(true);
      else setPassword("");
      setCode("");
    } finally {
      setBusy(false);
    }
  };
  const [atPassword, atCode] = [getFieldError(error, "password"), getFieldError(error, "code")];
  return (
    <Modal.Root opened onClose={() => undefined} closeOnEscape={false} closeOnClickOutside={false} size={400} centered>
      <Modal.Overlay />
      <Modal.Content>
        <Modal.Header role="presentation">
          <Modal.Title fw={650} fz="lg">
            {t("session.again")}
          </Modal.Title>
        </Modal.Header>
        <Modal.Body>
          <form onSubmit={(event) => void submit(event)}>
            <Text mb="md">{t("session.lead")}</Text>
            <p className="session-person">
              <strong>{name}</strong> <span className="quiet">{email}</span>
            </p>
            <input type="hidden" name="email" autoComplete="username" value={email} readOnly />
            <PasswordInput
              data-autofocus
              label={t("session.password")}
              autoComplete="current-password"
              value={password}
              onChange={(event) => setPassword(event.currentTarget.value)}
              error={atPassword ?? (error === null || atCode !== undefined ? undefined : errorText(error))}
            />
            {asksForCode && (
              <TextInput
                autoFocus
                mt="sm"
                label={t("secondFactor.code")}
                description={t("secondFactor.codeHint")}
                autoComplete="one-time-code"
                value={code}
                onChange={(event) => setCode(event.currentTarget.value)}
                error={atCode}
              />
            )}
            <div className="session-buttons">
              <a href={signInPath()}>{t("session.other")}</a>
              <Button type="submit" loading={busy}>
                {t("session.continue")}
              </Button>
            </div>
          </form>
        </Modal.Body>
      </Modal.Content>
    </Modal.Root>
  );
}
