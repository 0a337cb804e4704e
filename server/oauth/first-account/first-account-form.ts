// The fields of the form for the first account.

export const weekdays = ["mon", "tue", "wed", "thu", "fri", "sat", "sun"] as const;

export type FirstAccountForm = {
  account_name: string;
  account_id: string;
  time_zone: string;
  locale: string;
  currency: string;
  name: string;
  email: string;
  password: string;
  password_again: string;
  calendar_name: string;
  days: readonly string[];
  from: string;
  until: string;
  sample: boolean;
};

export const emptyForm: FirstAccountForm = {
  ...{ account_name: "", account_id: "", time_zone: "UTC", locale: "en-US", currency: "eur" },
  ...{ name: "", email: "", password: "", password_again: "" },
  ...{ calendar_name: "Working hours", days: weekdays.slice(0, 5), from: "08:30", until: "17:00", sample: false },
};

/** "Acme & Söhne GmbH" becomes "acme-sohne-gmbh"; a name without such letters becomes "account". */
export function proposeAccountId(name: string): string {
  const words = name
    .normalize("NFD")
    .replace(/\p{M}/gu, "")
    .toLowerCase()
    .split(/[^a-z0-9]+/)
    .filter((word) => word !== "");
  return words.join("-").slice(0, 60).replace(/-+$/, "") || "account";
}

export function parseFirstAccountForm(form: URLSearchParams): FirstAccountForm {
  const text = (name: string) => (form.get(name) ?? "").trim();
  const given = text("account_id").toLowerCase();
  return {
    account_name: text("account_name"),
    account_id: given === "" ? proposeAccountId(text("account_name")) : given,
    time_zone: text("time_zone"),
    locale: text("locale"),
    currency: text("currency"),
    name: text("name"),
    email: text("email"),
    password: form.get("password") ?? "",
    password_again: form.get("password_again") ?? "",
    calendar_name: text("calendar_name") || emptyForm.calendar_name,
    days: form.getAll("days").filter((day) => (weekdays as readonly string[]).includes(day)),
    from: text("from"),
    until: text("until"),
    sample: form.get("sample") === "yes",
  };
}
