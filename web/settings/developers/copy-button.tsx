import { ActionIcon, Button, CopyButton } from "@mantine/core";
import { CheckIcon, CopyIcon } from "../../elements/icons.tsx";
import { t } from "../../languages/index.ts";

/** Copies a text and confirms it for a moment. */
export const CopyTextButton = ({ label, text }: { label: string; text: string }) => (
  <CopyButton value={text} timeout={3000}>
    {({ copied, copy }) => (
      <Button
        variant="default"
        size="xs"
        onClick={copy}
        leftSection={copied ? <CheckIcon size={14} /> : <CopyIcon size={14} />}
      >
        {copied ? t("secret.copied") : label}
      </Button>
    )}
  </CopyButton>
);

/** The same beside a text that is already shown. */
export const CopyIconButton = ({ text }: { text: string }) => (
  <CopyButton value={text} timeout={3000}>
    {({ copied, copy }) => (
      <ActionIcon
        variant="subtle"
        color="gray"
        size="sm"
        aria-label={copied ? t("secret.copied") : t("secret.copy")}
        onClick={copy}
      >
        {copied ? <CheckIcon size={14} /> : <CopyIcon size={14} />}
      </ActionIcon>
    )}
  </CopyButton>
);
