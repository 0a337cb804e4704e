import { List, Text } from "@mantine/core";
import { t } from "../languages/index.ts";
import { lowered } from "../languages/labels.ts";
import { useScopeNames } from "../queries.ts";
import { operations } from "../scopes.ts";
import { useHere } from "../session.ts";
import type { Scope, ScopeName } from "../wire.ts";

/** What scopes allow, as sentences. */
export function ScopeWords({ scopes }: { scopes: readonly Scope[] }) {
  const { who } = useHere();
  const { data: names = [] } = useScopeNames();
  const accountName = (id: string) => who.accounts.find((account) => account.id === id)?.name ?? id;
  const lines = scopes.flatMap((scope) => {
    const only = scope.accounts.map(accountName).join(", ");
    return sentences(scope, names).map((text) => {
      const told = scope.effect === "deny" ? t("scopes.not", { what: lowered(text) }) : text;
      return only === "" ? told : `${told}, ${t("scopes.onlyIn", { accounts: only })}`;
    });
  });
  if (lines.length === 0)
    return (
      <Text size="sm" c="dimmed">
        {t("scopes.nothing")}
      </Text>
    );
  return (
    <List size="sm">
      {lines.map((line) => (
        <List.Item key={line}>{line}</List.Item>
      ))}
    </List>
  );
}

function sentences({ actions }: Scope, names: readonly ScopeName[]): string[] {
  const held = new Map<string, string[]>();
  for (const action of actions) {
    const [name = "", operation = ""] = action.split(":");
    held.set(name, [...(held.get(name) ?? []), operation]);
  }
  return [...held].map(([name, words]) => {
    if (name === "me") return t("scopes.me");
    if (name === "*" && words.includes("*")) return t("scopes.everything");
    const types =
      name === "*" ? lowered(t("scopes.anyType")) : (names.find((each) => each.name === name)?.label ?? name);
    const done = operations.filter((operation) => words.includes("*") || words.includes(operation));
    return t("scopes.cell", {
      operation: done
        .map((operation, index) => (index === 0 ? t(`scopes.${operation}`) : lowered(t(`scopes.${operation}`))))
        .join(", "),
      types,
    });
  });
}
