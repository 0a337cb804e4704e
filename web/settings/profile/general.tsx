import { Button, FileButton, SegmentedControl, Switch, useMantineColorScheme } from "@mantine/core";
import IconCircleCheck from "@tabler/icons-react/dist/esm/icons/IconCircleCheck.mjs";
import { type ReactNode, useContext } from "react";
import { runAction } from "../../actions/registry.ts";
import { CurrentAccountContext } from "../../api/current-account.ts";
import { firstDayOfWeek, formatNumber } from "../../base/formats.ts";
import { formatFullDate, formatWeekday } from "../../base/moments.ts";
import { setPreference, usePreference } from "../../base/preferences.ts";
import { Icon } from "../../elements/icon.tsx";
import { Kbd } from "../../elements/kbd.tsx";
import { Select } from "../../fields/pickers/select.tsx";
import { currentLocale, t } from "../../languages/index.ts";
import { choiceLabel } from "../../languages/labels.ts";
import { localeName, offeredLocales } from "../../languages/spoken-languages.ts";
import { LoadingSkeleton } from "../../parts/loading-skeleton.tsx";
import { buildMenu } from "../../parts/menu/menu-items.ts";
import { useNow } from "../../parts/now.ts";
import { Avatar } from "../../parts/people/avatar.tsx";
import { ErrorPanel } from "../../parts/states/error-panel.tsx";
import { useEnumeration } from "../../queries/index.ts";
import type { OwnSettings } from "../../queries/settings/profile.ts";
import { Away } from "./absence.tsx";
import { NotificationChoices } from "./notification-choices.tsx";
import { KeptSelect } from "./persistent-field.tsx";
import { readAsDataUrl } from "./picture-file.ts";
import { ProfilePage } from "./profile-page.tsx";
import { useOwnSettings } from "./use-own-settings.ts";

/** Personal preferences: every choice is saved immediately. */
export function ProfileScreen() {
  const { data, error, refetch, save, isSaved } = useOwnSettings();
  return (
    <ProfilePage
      active="profile"
      actions={
        <span className="profile-saved" role="status">
          {isSaved && (
            <>
              <Icon of={IconCircleCheck} color="var(--green-solid)" /> {t("record.saved")}
            </>
          )}
        </span>
      }
    >
      {error !== null ? (
        <ErrorPanel error={error} retry={() => void refetch()} />
      ) : data === undefined ? (
        <LoadingSkeleton />
      ) : (
        <div className="profile">
          <You me={data} save={save} />
          <Look />
          <LanguageAndTime me={data} save={save} />
          <NotificationSection me={data} save={save} />
          <Section title={t("profile.away")} lead={t("profile.awayLead")}>
            <Away />
          </Section>
          <Keyboard />
        </div>
      )}
    </ProfilePage>
  );
}

type PartProps = { me: OwnSettings; save(change: Partial<OwnSettings>): void };

function Section({ title, lead, children }: { title: string; lead: string; children: ReactNode }) {
  return (
    <section className="profile-section" aria-label={title}>
      <div>
        <h2 className="settings-title">{title}</h2>
        <p className="quiet">{lead}</p>
      </div>
      <div className="profile-content">{children}</div>
    </section>
  );
}

function You({ me, save }: PartProps) {
  return (
    <Section title={t("profile.you")} lead={t("profile.youLead")}>
      <div className="profile-row profile-you">
        <Avatar person={me} size={52} silent />
        <div>
          <div className="profile-name">{me.name}</div>
          <div className="quiet">{[me.job_title, me.primary_email].filter(Boolean).join(" · ")}</div>
        </div>
        <FileButton
          accept="image/png,image/jpeg,image/gif,image/webp"
          onChange={(file) => file !== null && readAsDataUrl(file).then((picture_uri) => save({ picture_uri }))}
          inputProps={{ "aria-label": t("profile.changePicture") }}
        >
          {(button) => (
            <Button {...button} variant="default" className="profile-end">
              {t("profile.changePicture")}
            </Button>
          )}
        </FileButton>
        {me.picture_uri && (
          <Button variant="subtle" onClick={() => save({ picture_uri: null })}>
            {t("form.removePicture")}
          </Button>
        )}
      </div>
    </Section>
  );
}

const schemes = ["auto", "light", "dark"] as const;

function Look() {
  const here = useContext(CurrentAccountContext);
  const { colorScheme, setColorScheme } = useMantineColorScheme();
  const density = usePreference("density");
  const startPage = usePreference("startPage");
  const pages = here === null ? [] : buildMenu(here);
  return (
    <Section title={t("profile.look")} lead={t("profile.lookLead")}>
      <div className="profile-row">
        <div className="themes" role="radiogroup" aria-label={t("app.theme")}>
          {schemes.map((scheme) => (
            // biome-ignore lint/a11y/useSemanticElements: a button that shows what it chooses
            <button
              type="button"
              role="radio"
              key={scheme}
              className="theme-card"
              aria-checked={colorScheme === scheme}
              onClick={() => setColorScheme(scheme)}
            >
              <span className="theme-picture" data-scheme={scheme} aria-hidden="true" />
              {t(`app.theme.${scheme}`)}
            </button>
          ))}
        </div>
        <div className="profile-stack profile-end">
          <Segmented
            label={t("profile.rows")}
            value={density}
            onChange={(wanted) => setPreference("density", wanted as "compact" | "comfortable")}
            data={[
              { value: "compact", label: t("profile.compact") },
              { value: "comfortable", label: t("profile.comfortable") },
            ]}
          />
          <Select
            label={t("profile.startWith")}
            data={pages.map(({ id, label }) => ({ value: id, label }))}
            value={pages.some(({ id }) => id === startPage) ? startPage : (pages[0]?.id ?? null)}
            allowDeselect={false}
            onChange={(wanted) => setPreference("startPage", wanted ?? "")}
          />
        </div>
      </div>
    </Section>
  );
}

function Segmented(props: {
  label: string;
  value: string;
  onChange(value: string): void;
  data: { value: string; label: string }[];
}) {
  return (
    // biome-ignore lint/a11y/useSemanticElements: the legend of a fieldset can't be placed beside it
    <div role="group" aria-label={props.label}>
      <div className="segmented-label">{props.label}</div>
      <SegmentedControl size="xs" data={props.data} value={props.value} onChange={props.onChange} />
    </div>
  );
}

/** A date, a number and the first day of the week in the person's formats. */
function describeFormats(now: number): string {
  const day = firstDayOfWeek(currentLocale());
  const parts = [formatFullDate(now), formatNumber(1234.5)];
  // 5 January 1970 was a Monday.
  if (day !== null) parts.push(t("profile.weekBegins", { day: formatWeekday((4 + day - 1) * 86_400_000) }));
  return parts.join(" · ");
}

function LanguageAndTime({ me, save }: PartProps) {
  const zones = useEnumeration("time_zone");
  const now = useNow();
  const locales = [...new Set([me.locale, ...Object.values(offeredLocales).flat()])];
  return (
    <Section title={t("profile.language")} lead={t("profile.languageLead")}>
      <div className="profile-row profile-wrap">
        <KeptSelect
          name="language"
          label={t("profile.languageField")}
          data={locales.map((value) => ({ value, label: localeName(value) }))}
          value={me.locale}
          allowDeselect={false}
          onChange={(locale) => locale !== null && save({ locale })}
        />
        <KeptSelect
          name="zone"
          label={t("profile.zone")}
          searchable
          data={zones}
          value={me.time_zone}
          allowDeselect={false}
          onChange={(time_zone) => time_zone !== null && save({ time_zone })}
        />
        <Segmented
          label={t("profile.clock")}
          value={me.time_format_24h ? "24" : "12"}
          onChange={(hours) => save({ time_format_24h: hours === "24" })}
          data={[
            { value: "24", label: "24 h" },
            { value: "12", label: "12 h" },
          ]}
        />
      </div>
      <p className="quiet profile-note">{describeFormats(now)}</p>
    </Section>
  );
}

function NotificationSection({ me, save }: PartProps) {
  const choices = (enumeration: string, values: readonly string[]) =>
    values.map((value) => ({ value, label: choiceLabel(enumeration, value) }));
  return (
    <Section title={t("profile.tell")} lead={t("profile.tellLead")}>
      <NotificationChoices />
      <div className="profile-row profile-wrap">
        <Segmented
          label={t("profile.byMail")}
          value={me.send_email_notifications}
          onChange={(send_email_notifications) => save({ send_email_notifications })}
          data={choices("person.send_email_notifications", ["always", "when_offline", "never"])}
        />
        <Segmented
          label={t("profile.inPage")}
          value={me.show_notification_popup}
          onChange={(show_notification_popup) => save({ show_notification_popup })}
          data={choices("person.show_notification_popup", ["always", "important_only", "never"])}
        />
      </div>
      <Switch
        mt="sm"
        label={t("profile.teams")}
        checked={!me.exclude_team_notifications}
        onChange={(event) => save({ exclude_team_notifications: !event.currentTarget.checked })}
      />
    </Section>
  );
}

function Keyboard() {
  const singleKeys = usePreference("singleKeys");
  return (
    <Section title={t("profile.keyboard")} lead={t("profile.keyboardLead")}>
      <div className="profile-row">
        <Switch
          label={
            <span>
              {t("profile.singleKeys")} <Kbd keys="j" /> <Kbd keys="k" /> <Kbd keys="c" />
            </span>
          }
          checked={singleKeys}
          onChange={(event) => setPreference("singleKeys", event.currentTarget.checked)}
        />
        <button type="button" className="text-button profile-end" onClick={() => runAction("help.shortcuts")}>
          {t("profile.shortcuts")}
        </button>
      </div>
    </Section>
  );
}
