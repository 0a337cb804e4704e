import { Text } from "@mantine/core";
import type { Scope } from "../../../records/answers/session.ts";
import type { ScopeName } from "../../../records/answers/settings.ts";
import { useCurrentAccount } from "../../api/current-account.ts";
import { t } from "../../languages/index.ts";
import { lowerFirst } from "../../languages/labels.ts";
import { useScopeNames } from "../../queries/parts/scopes.ts";
import { getScopeLabel } from "./scope-label.ts";
import { operations } from "./scope-selection.ts";

/** Describes scopes in sentences. */
export function ScopeDescription({ scopes }: { scopes: readonly Scope[] }) {
  const { who } = useCurrentAccount();
  const { data: names = [] } = useScopeNames();
  const accountName = (id: string) => who.accounts.find((account) => account.id === id)?.name ?? id;
  const lines = scopes.flatMap((scope) => {
    const only = scope.accounts.map(accountName).join(", ");
    return buildSentences(scope, names).map((text) => {
      const sentence = scope.effect === "deny" ? t("scopes.not", { what: lowerFirst(text) }) : text;
      return only === "" ? sentence : `${sentence}, ${t("scopes.onlyIn", { accounts: only })}`;
    });
  });
  if (lines.length === 0)
    return (
      <Text size="sm" c="dimmed">
        {t("scopes.nothing")}
      </Text>
    );
  return (
    <ul className="sentence-list">
      {lines.map((line) => (
        <li key={line}>{line}</li>
      ))}
    </ul>
  );
}

function buildSentences({ actions }: Scope, names: readonly ScopeName[]): string[] {
  const byName = new Map<string, string[]>();
  for (const action of actions) {
    const [name = "", operation = ""] = action.split(":");
    byName.set(name, [...(byName.get(name) ?? []), operation]);
  }
  return [...byName].map(([name, words]) => {
    if (name === "me") return t("scopes.me");
    if (name === "*" && words.includes("*")) return t("scopes.everything");
    const known = names.find((each) => each.name === name);
    const types = known === undefined ? (name === "*" ? t("scopes.anyType") : name) : getScopeLabel(known);
    const done = operations.filter((operation) => words.includes("*") || words.includes(operation));
    return t("scopes.cell", {
      operation: done
        .map((operation, index) => (index === 0 ? t(`scopes.${operation}`) : lowerFirst(t(`scopes.${operation}`))))
        .join(", "),
      types: lowerFirst(types),
    });
  });
}
