import IconApps from "@tabler/icons-react/dist/esm/icons/IconApps.mjs";
import IconDeviceLaptop from "@tabler/icons-react/dist/esm/icons/IconDeviceLaptop.mjs";
import IconFingerprint from "@tabler/icons-react/dist/esm/icons/IconFingerprint.mjs";
import IconKey from "@tabler/icons-react/dist/esm/icons/IconKey.mjs";
import IconLock from "@tabler/icons-react/dist/esm/icons/IconLock.mjs";
import IconShieldLock from "@tabler/icons-react/dist/esm/icons/IconShieldLock.mjs";
import IconUserShield from "@tabler/icons-react/dist/esm/icons/IconUserShield.mjs";
import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import type { ReactNode } from "react";
import type { SignInMethods } from "../../../records/answers/sign-in.ts";
import { administrationApi } from "../../api/administration.ts";
import { useCurrentAccount } from "../../api/current-account.ts";
import { browserName } from "../../base/browser-name.ts";
import { Icon, type IconComponent } from "../../elements/icon.tsx";
import { showError, showMessage } from "../../elements/toast.tsx";
import { t } from "../../languages/index.ts";
import { leaveWhenConnected } from "../../live/navigation-guard.ts";
import { ConfirmDialog } from "../../parts/dialogs/confirm-dialog.tsx";
import { Timestamp } from "../../parts/timestamp.tsx";
import { personQueries } from "../../queries/workspace/people.ts";
import { ResetSecondFactor } from "./reset-second-factor.tsx";

// A person's sign-in methods, and signing them out, for administrators of the person's account.

/** Undefined: not loaded yet, or not permitted: the person may belong to an account with other administrators. */
export function useSignInMethods(person: number): SignInMethods | undefined {
  const { api, isAdministrator } = useCurrentAccount();
  return useQuery({ ...personQueries.signInMethods(api, person), enabled: isAdministrator }).data;
}

type LineProps = { icon: IconComponent; children: ReactNode; when?: ReactNode };

const Line = ({ icon, children, when }: LineProps) => (
  <li className="sign-in-line">
    <Icon of={icon} />
    <span className="truncate">{children}</span>
    {when !== undefined && <span className="quiet">{when}</span>}
  </li>
);

const Used = ({ at }: { at: string | null }) => (
  <>
    {at !== null && `${t("signIn.used")} `}
    <Timestamp at={at} />
  </>
);

type SideProps = { methods: SignInMethods; person: number; name: string };

/** Password, second factor, passkeys, providers; then the person's sessions and credentials. */
export function SideSignIn({ methods, person, name }: SideProps) {
  const { password, second_factor, passkeys, identity_providers, sessions } = methods;
  const { personal_access_tokens: tokens, applications } = methods;
  const hasNone = password === null && passkeys.length === 0 && identity_providers.length === 0;
  return (
    <section className="ci-side-group" aria-label={t("signIn.title")}>
      <h2 className="settings-title">{t("signIn.title")}</h2>
      {hasNone && <p className="quiet">{t("signIn.nothing")}</p>}
      <ul className="sign-in-lines">
        {password !== null && (
          <Line
            icon={IconLock}
            when={
              <>
                {t("signIn.changed")} <Timestamp at={password.changed_at} />
              </>
            }
          >
            {t("signIn.password")}
          </Line>
        )}
        {second_factor !== null && (
          <Line
            icon={IconShieldLock}
            when={
              <>
                {t("signIn.since")} <Timestamp at={second_factor.created_at} />
              </>
            }
          >
            {t("secondFactor.title")}
          </Line>
        )}
        {passkeys.map(({ name, created_at, last_used_at }) => (
          <Line key={`${created_at} ${name}`} icon={IconFingerprint} when={<Used at={last_used_at} />}>
            {t("signIn.passkey", { name })}
          </Line>
        ))}
        {identity_providers.map(({ name, last_used_at }) => (
          <Line key={name} icon={IconUserShield} when={<Used at={last_used_at} />}>
            {name}
          </Line>
        ))}
        {sessions.map(({ user_agent, address, created_at, last_seen_at }) => (
          <Line key={`${created_at} ${address}`} icon={IconDeviceLaptop} when={<Timestamp at={last_seen_at} />}>
            {browserName(user_agent)}, {address}
          </Line>
        ))}
        {tokens.count > 0 && (
          <Line icon={IconKey} when={<Used at={tokens.last_used_at} />}>
            {t("signIn.tokens", { count: tokens.count })}
          </Line>
        )}
        {applications.count > 0 && (
          <Line icon={IconApps}>{t("signIn.applications", { count: applications.count })}</Line>
        )}
      </ul>
      {(second_factor !== null || passkeys.length > 0) && <ResetSecondFactor person={person} name={name} />}
    </section>
  );
}

type DialogProps = { person: number; name: string; onClose(): void };

export function SignOutDialog({ person, name, onClose }: DialogProps) {
  const { account, api, who } = useCurrentAccount();
  const queries = useQueryClient();
  const signOut = useMutation({
    mutationFn: () => administrationApi(account.id).signOut(person),
    onSuccess: ({ sessions, tokens }) => {
      onClose();
      // Administrators who sign themselves out no longer have a session.
      if (person === who.person.id) return leaveWhenConnected(() => location.assign("/sign_in"));
      showMessage(t("signOut.done", { name, sessions, tokens }));
      return queries.invalidateQueries({ queryKey: personQueries.signInMethods(api, person).queryKey });
    },
    onError: (error) => {
      onClose();
      showError(error);
    },
  });
  return (
    <ConfirmDialog
      title={t("signOut.confirm", { name })}
      lead={t("signOut.lead", { name })}
      action={t("signOut.action")}
      busy={signOut.isPending}
      onConfirm={() => signOut.mutate()}
      onClose={onClose}
    />
  );
}
