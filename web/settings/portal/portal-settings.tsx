import { ActionIcon, Box, Button, ColorInput, FileInput, Group, Stack, Text, Textarea, TextInput } from "@mantine/core";
import IconArrowDown from "@tabler/icons-react/dist/esm/icons/IconArrowDown.mjs";
import IconArrowUp from "@tabler/icons-react/dist/esm/icons/IconArrowUp.mjs";
import { useMutation, useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { useCurrentAccount } from "../../api/current-account.ts";
import { keptApi } from "../../api/index.ts";
import { paths } from "../../base/paths.ts";
import {
  contrastWithWhite,
  findReadableColor,
  isColor,
  isPicture,
  leastContrast,
  lookKey,
  type PortalLook,
  parseLook,
} from "../../base/portal-look.ts";
import { useSettingsDraft } from "../../drafts/use-settings-draft.ts";
import { Icon } from "../../elements/icon.tsx";
import { showError, showMessage } from "../../elements/toast.tsx";
import { isMessage, t } from "../../languages/index.ts";
import { LoadingSkeleton } from "../../parts/loading-skeleton.tsx";
import { PageHeader } from "../../parts/page-header.tsx";
import { keptQueries, useKept } from "../../queries/kept/kept-items.ts";
import { DraftNote } from "../draft-note.tsx";

const tileKeys = ["broken", "access", "equipment", "people", "booking", "else"] as const;
const mostLogoBytes = 40_000;

/** The portal's name, logo, color, texts and tile order. */
export function PortalSettingsScreen() {
  const { account } = useCurrentAccount();
  const { data } = useKept<Record<string, unknown>>("portal");
  return (
    <div>
      <PageHeader
        title={t("settings.portal")}
        lead={t("settings.portalLead")}
        actions={
          <Button component="a" href={paths.portal(account.id)} variant="default">
            {t("portalSettings.open")}
          </Button>
        }
      />
      {data === undefined ? (
        <LoadingSkeleton />
      ) : (
        <LookForm look={parseLook(data.find(({ key, owner }) => key === lookKey && owner === "account")?.value)} />
      )}
    </div>
  );
}

const readFile = (file: File): Promise<string> =>
  new Promise((resolve, reject) => {
    const reader = new FileReader();
    reader.onload = () => resolve(String(reader.result));
    reader.onerror = () => reject(reader.error);
    reader.readAsDataURL(file);
  });

function LookForm({ look }: { look: PortalLook }) {
  const { account } = useCurrentAccount();
  const queries = useQueryClient();
  const { values, change: set, draft, isOutdated } = useSettingsDraft<PortalLook>("portal", look);
  const accent = values.accent ?? "";
  const isReadable = accent === "" || (isColor(accent) && contrastWithWhite(accent) >= leastContrast);
  const save = useMutation({
    mutationFn: () => keptApi(account.id).put("portal", lookKey, values, "account"),
    onSuccess: async () => {
      showMessage(t("portalSettings.saved"));
      await queries.invalidateQueries({ queryKey: keptQueries.key(account.id, "portal") });
      draft.remove();
    },
    onError: showError,
  });
  return (
    <Box className="card" p={{ base: "md", sm: "lg" }} maw={760}>
      <form
        noValidate
        onSubmit={(event) => {
          event.preventDefault();
          if (isReadable) save.mutate();
        }}
      >
        <Stack gap="md">
          <DraftNote draft={draft} isOutdated={isOutdated} />
          <TextInput
            label={t("portalSettings.name")}
            description={t("portalSettings.nameHint")}
            maxLength={60}
            placeholder={account.name}
            value={values.name ?? ""}
            onChange={(event) => set({ name: event.currentTarget.value })}
          />
          <Textarea
            label={t("portalSettings.greeting")}
            description={t("portalSettings.greetingHint")}
            maxLength={300}
            autosize
            minRows={2}
            value={values.greeting ?? ""}
            onChange={(event) => set({ greeting: event.currentTarget.value })}
          />
          <div>
            <ColorInput
              label={t("portalSettings.accent")}
              description={t("portalSettings.accentHint")}
              format="hex"
              withEyeDropper={false}
              value={accent}
              error={isReadable ? undefined : t("portalSettings.tooLight")}
              onChange={(color) => set({ accent: color })}
            />
            {!isReadable && isColor(accent) && (
              <Button mt="xs" size="xs" variant="default" onClick={() => set({ accent: findReadableColor(accent) })}>
                {t("portalSettings.useInstead", { color: findReadableColor(accent) })}
              </Button>
            )}
          </div>
          <LogoField logo={values.logo ?? ""} onChange={(logo) => set({ logo })} />
          <TileOrder tiles={values.tiles ?? []} onChange={(tiles) => set({ tiles })} />
          <Group>
            <Button type="submit" loading={save.isPending} disabled={!isReadable}>
              {t("portalSettings.save")}
            </Button>
          </Group>
        </Stack>
      </form>
    </Box>
  );
}

function LogoField({ logo, onChange }: { logo: string; onChange(logo: string): void }) {
  const [hasProblem, setProblem] = useState(false);
  const chooseLogo = async (file: File | null) => {
    if (file === null) return;
    const picture = file.size > mostLogoBytes ? "" : await readFile(file);
    setProblem(!isPicture(picture));
    if (isPicture(picture)) onChange(picture);
  };
  return (
    <>
      <FileInput
        label={t("portalSettings.logo")}
        description={t("portalSettings.logoHint")}
        accept="image/png,image/jpeg,image/webp"
        placeholder={t("portalSettings.chooseFile")}
        error={hasProblem ? t("portalSettings.logoProblem") : undefined}
        onChange={(file) => void chooseLogo(file).catch(showError)}
      />
      {logo !== "" && (
        <Group gap="sm">
          <img src={logo} alt={t("portalSettings.logo")} height={36} />
          <Button size="xs" variant="default" onClick={() => onChange("")}>
            {t("portalSettings.removeLogo")}
          </Button>
        </Group>
      )}
    </>
  );
}

/** The tiles of the catalog in order; tiles that were never moved come last. */
function TileOrder({ tiles, onChange }: { tiles: readonly string[]; onChange(tiles: string[]): void }) {
  const order = [...tiles, ...tileKeys.filter((key) => !tiles.includes(key))];
  const move = (at: number, step: number) => {
    const next = [...order];
    const [moved] = next.splice(at, 1);
    if (moved === undefined) return;
    next.splice(at + step, 0, moved);
    onChange(next);
  };
  return (
    <fieldset className="plain-fieldset">
      <Text component="legend" fw={500}>
        {t("portalSettings.order")}
      </Text>
      <ol>
        {order.map((key, at) => {
          const name = `portalSettings.tile.${key}`;
          const label = isMessage(name) ? t(name) : key;
          return (
            <li key={key}>
              <Group gap="xs">
                <ActionIcon
                  variant="default"
                  size="sm"
                  disabled={at === 0}
                  aria-label={t("portalSettings.up", { label })}
                  onClick={() => move(at, -1)}
                >
                  <Icon of={IconArrowUp} size={14} />
                </ActionIcon>
                <ActionIcon
                  variant="default"
                  size="sm"
                  disabled={at === order.length - 1}
                  aria-label={t("portalSettings.down", { label })}
                  onClick={() => move(at, 1)}
                >
                  <Icon of={IconArrowDown} size={14} />
                </ActionIcon>
                {label}
              </Group>
            </li>
          );
        })}
      </ol>
    </fieldset>
  );
}
