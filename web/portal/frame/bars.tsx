import IconBook2 from "@tabler/icons-react/dist/esm/icons/IconBook2.mjs";
import IconBuilding from "@tabler/icons-react/dist/esm/icons/IconBuilding.mjs";
import IconCalendarEvent from "@tabler/icons-react/dist/esm/icons/IconCalendarEvent.mjs";
import IconHome from "@tabler/icons-react/dist/esm/icons/IconHome.mjs";
import IconLanguage from "@tabler/icons-react/dist/esm/icons/IconLanguage.mjs";
import IconMessage from "@tabler/icons-react/dist/esm/icons/IconMessage.mjs";
import IconRubberStamp from "@tabler/icons-react/dist/esm/icons/IconRubberStamp.mjs";
import IconShoppingBag from "@tabler/icons-react/dist/esm/icons/IconShoppingBag.mjs";
import { useQueryClient } from "@tanstack/react-query";
import { type FocusEvent, useEffect, useRef, useState } from "react";
import { useCurrentAccount } from "../../api/current-account.ts";
import { sessionApi } from "../../api/index.ts";
import { Icon, type IconComponent } from "../../elements/icon.tsx";
import { currentLanguage, languageCodes } from "../../languages/index.ts";
import { languageName, pickLocale } from "../../languages/spoken-languages.ts";
import { leaveIfConnected, leaveWhenConnected } from "../../live/navigation-guard.ts";
import { Avatar } from "../../parts/people/avatar.tsx";
import { isRequesterOnly, type Place, useAddresses } from "../addresses.ts";
import { useHome, useKeptPortal } from "../queries.ts";
import { Link } from "../router.tsx";
import { t } from "../words.ts";
import { showError } from "./toasts.tsx";

type Item = { to: string; label: string; short: string; icon: IconComponent; pages: readonly string[]; count: number };

function useItems(): Item[] {
  const at = useAddresses();
  const { data } = useHome();
  const items: Item[] = [
    {
      to: at.home,
      label: t("nav.home"),
      short: t("nav.home"),
      icon: IconHome,
      pages: ["home", "form", "catalogue", "search", "device"],
      count: 0,
    },
    {
      to: at.requests,
      label: t("nav.requests"),
      short: t("nav.requestsShort"),
      icon: IconMessage,
      pages: ["requests", "request"],
      count: data?.requests.open_total ?? 0,
    },
    {
      to: at.approvals,
      label: t("nav.approvals"),
      short: t("nav.approvals"),
      icon: IconRubberStamp,
      pages: ["approvals", "approval"],
      count: data?.approvals.total ?? 0,
    },
    {
      to: at.knowledge,
      label: t("nav.knowledge"),
      short: t("nav.knowledge"),
      icon: IconBook2,
      pages: ["knowledge", "article"],
      count: 0,
    },
  ];
  if ((data?.offers.shop ?? 0) > 0)
    items.push({
      to: at.shop,
      label: t("nav.shop"),
      short: t("nav.shop"),
      icon: IconShoppingBag,
      pages: ["shop"],
      count: 0,
    });
  if ((data?.offers.reservations ?? 0) > 0)
    items.push({
      to: at.reservations,
      label: t("nav.reservations"),
      short: t("nav.reservations"),
      icon: IconCalendarEvent,
      pages: ["reservations"],
      count: 0,
    });
  return items;
}

const Count = ({ item }: { item: Item }) =>
  item.count === 0 ? null : (
    <span className="count" data-tone={item.pages[0] === "approvals" ? "violet" : "blue"}>
      {item.count}
    </span>
  );

export function TopBar({ place }: { place: Place }) {
  const { account } = useCurrentAccount();
  const { look } = useKeptPortal();
  const items = useItems();
  const at = useAddresses();
  return (
    <header className="top">
      <div className="wrap top-row">
        <Link className="brand" to={at.home}>
          {look.logo === undefined ? (
            <span className="brand-mark" aria-hidden="true">
              {(look.name ?? account.name).charAt(0).toUpperCase()}
            </span>
          ) : (
            <img className="brand-logo" src={look.logo} alt="" />
          )}
          <span className="brand-name">{look.name ?? account.name}</span>
          <span className="brand-part">{t("helpCentre")}</span>
        </Link>
        <nav className="top-nav" aria-label={t("nav.label")}>
          {items.map((item) => (
            <Link key={item.to} to={item.to} aria-current={item.pages.includes(place.page) ? "page" : undefined}>
              {item.label} <Count item={item} />
            </Link>
          ))}
        </nav>
        <AccountChoice />
        <LanguageChoice />
        <PersonMenu />
      </div>
    </header>
  );
}

export function BottomBar({ place }: { place: Place }) {
  return (
    <nav className="bottom" aria-label={t("nav.label")}>
      {useItems()
        .slice(0, 5)
        .map((item) => (
          <Link key={item.to} to={item.to} aria-current={item.pages.includes(place.page) ? "page" : undefined}>
            <span className="bottom-icon">
              <Icon of={item.icon} size={22} />
              <Count item={item} />
            </span>
            {item.short}
          </Link>
        ))}
    </nav>
  );
}

function useChangeLanguage() {
  const { api } = useCurrentAccount();
  const queries = useQueryClient();
  return async (language: string) => {
    try {
      await api.change("/me", { locale: pickLocale(language, navigator.languages) });
      await queries.invalidateQueries();
    } catch (error) {
      showError(error);
    }
  };
}

function LanguageChoice() {
  const change = useChangeLanguage();
  return (
    <label className="bar-choice">
      <Icon of={IconLanguage} size={18} />
      <span className="spoken">{t("language")}</span>
      <select value={currentLanguage()} onChange={({ currentTarget: { value } }) => void change(value)}>
        {languageCodes.map((code) => (
          <option key={code} value={code} lang={code}>
            {languageName(code)}
          </option>
        ))}
      </select>
    </label>
  );
}

/** For people served by several desks. */
function AccountChoice() {
  const { who, account } = useCurrentAccount();
  if (who.accounts.length < 2) return null;
  return (
    <label className="bar-choice">
      <Icon of={IconBuilding} size={18} />
      <span className="spoken">{t("switchAccount")}</span>
      {/* A full page load: the other account may open in the workspace. */}
      <select
        value={account.id}
        onChange={({ currentTarget: { value } }) =>
          void leaveIfConnected(() => location.assign(`/a/${encodeURIComponent(value)}`))
        }
      >
        {who.accounts.map(({ id, name }) => (
          <option key={id} value={id}>
            {name}
          </option>
        ))}
      </select>
    </label>
  );
}

function PersonMenu() {
  const { who, account } = useCurrentAccount();
  const at = useAddresses();
  const [open, setOpen] = useState(false);
  const button = useRef<HTMLButtonElement>(null);
  const box = useRef<HTMLDivElement>(null);
  useEffect(() => {
    if (!open) return;
    const close = (event: Event) => {
      if (!(event.target instanceof Node && box.current?.contains(event.target))) setOpen(false);
    };
    const onKey = (event: KeyboardEvent) => {
      if (event.key !== "Escape") return;
      setOpen(false);
      button.current?.focus();
    };
    document.addEventListener("pointerdown", close);
    document.addEventListener("keydown", onKey);
    return () => {
      document.removeEventListener("pointerdown", close);
      document.removeEventListener("keydown", onKey);
    };
  }, [open]);
  const onBlur = (event: FocusEvent) => {
    if (event.relatedTarget instanceof Node && !box.current?.contains(event.relatedTarget)) setOpen(false);
  };
  const signOut = () =>
    void sessionApi.signOut().then(() => leaveWhenConnected(() => location.assign("/sign_in")), showError);
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: it only notices that the focus leaves the menu
    <div className="person" ref={box} onBlur={onBlur}>
      <button type="button" ref={button} className="plain" aria-expanded={open} onClick={() => setOpen(!open)}>
        <span className="spoken">{t("person.menu", { name: who.person.name })}</span>
        <Avatar person={who.person} size={34} silent />
      </button>
      {open && (
        <div className="menu">
          <p className="menu-head">
            <b>{who.person.name}</b>
            <span className="quiet">{who.person.email}</span>
          </p>
          {/* Full page loads: the workspace is another application. */}
          {!isRequesterOnly(account.roles) && <a href={at.workspace}>{t("person.workspace")}</a>}
          <a href={at.profile}>{t("person.profile")}</a>
          <button type="button" className="plain" onClick={signOut}>
            {t("person.signOut")}
          </button>
        </div>
      )}
    </div>
  );
}
