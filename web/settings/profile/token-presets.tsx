import { Button, Group, Input } from "@mantine/core";
import { t } from "../../languages/index.ts";
import { parseScopeText, type ScopeSelection } from "../../parts/scopes/scope-selection.ts";

// The scopes that most programs need, so that few people have to choose single boxes.

// biome-ignore format: a table keeps its columns
const presets = [
  ["read",       "*:R,me:All"],
  ["requests",   "request:CRU,note:CR,person:R,service-instance:R,team:R,me:All"],
  ["monitoring", "request:CRU,me:All"],
  ["assets",     "ci:CRU,product:R,site:R,me:All"],
  ["exchange",   "import:CR,export:CR,me:All"],
] as const;

export function TokenPresets({ onPick }: { onPick(selection: ScopeSelection): void }) {
  return (
    <Input.Wrapper label={t("tokens.presets")} labelElement="div">
      <Group gap="xs" mt={6}>
        {presets.map(([name, scopes]) => (
          <Button key={name} size="xs" variant="default" onClick={() => onPick(parseScopeText(scopes))}>
            {t(`tokens.preset.${name}`)}
          </Button>
        ))}
      </Group>
    </Input.Wrapper>
  );
}
