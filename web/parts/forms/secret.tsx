import { Button, Code, CopyButton, Group } from "@mantine/core";
import { CheckIcon, CopyIcon } from "../../elements/icons.tsx";
import { t } from "../../languages/index.ts";

/** A text to copy; a click selects all of it if the clipboard is unavailable. */
export function Secret({ name, value }: { name: string; value: string }) {
  return (
    <Group align="stretch" gap="xs" wrap="nowrap">
      <Code block className="secret" flex={1} aria-label={name}>
        {value}
      </Code>
      <CopyButton value={value} timeout={3000}>
        {({ copied, copy }) => (
          <Button
            variant="default"
            h="auto"
            onClick={copy}
            aria-label={t("secret.copyName", { name })}
            leftSection={copied ? <CheckIcon size={16} /> : <CopyIcon size={16} />}
          >
            {t(copied ? "secret.copied" : "secret.copy")}
          </Button>
        )}
      </CopyButton>
    </Group>
  );
}
