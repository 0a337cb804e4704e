import {
  accountRef,
  boolean,
  byDefault,
  choice,
  computed,
  currency,
  language,
  opt,
  record,
  ref,
  req,
  ro,
  rule,
  string,
  timestamps,
  timeZone,
} from "../vocabulary/index.ts";

// The command line creates accounts; PATCH /account_settings changes them.
// biome-ignore format: a table keeps its columns
export const account = record("account", {
  collection: "accounts",
  routes: { singleton: true },
  sharing: { acrossAccounts: rule("is its directory account or one it trusts") },
  fields: {
    id:                ro(string(60), "the value of the account header"),
    name:              req(string(128)),
    url:               ro(string(), computed("address of the account")),
    organization:      ro(ref("organization"), "the organization the account was created for"),
    owner:             ro(ref("person")),
    directory_account: ro(accountRef, "only for support domain accounts"),
    plan:              req(choice("account.plan"), byDefault("premium")),
    currency:          req(currency, byDefault("eur")),
    locale:            req(language, byDefault("en-US")),
    time_zone:         req(timeZone, byDefault("UTC")),
    time_format_24h:   opt(boolean, byDefault(true)),
    start_of_week:     opt(choice("weekday"), byDefault("mon")),
    strong_privacy:    opt(boolean, byDefault(false)),
    ...timestamps,
  },
});
