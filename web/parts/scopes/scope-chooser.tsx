import { Checkbox, Input, MultiSelect, Radio, ScrollArea, Stack, Table, Text } from "@mantine/core";
import { useId } from "react";
import { deriveLabel } from "../../../records/languages/derive-label.ts";
import { useCurrentAccount } from "../../current-account.ts";
import { t } from "../../languages/index.ts";
import { useScopeNames } from "../../queries/index.ts";
import { LoadingSkeleton } from "../loading-skeleton.tsx";
import { operations, type ScopeSelection } from "./scope-selection.ts";

/** On a phone the four operations are enough. */
const wideOnly = { visibleFrom: "xs" } as const;

type Props = {
  label: string;
  value: ScopeSelection;
  onChange(value: ScopeSelection): void;
  error?: string | undefined;
};

/** What a token or an application may do, in words: everything, or a row of boxes per record type. */
export function ScopeChooser({ label, value, onChange, error }: Props) {
  const { who } = useCurrentAccount();
  const id = useId();
  return (
    <Stack gap="md">
      <Input.Wrapper label={label} error={error} labelElement="div" id={id}>
        <Radio.Group
          aria-labelledby={`${id}-label`}
          value={value.everything ? "everything" : "chosen"}
          onChange={(wanted) => onChange({ ...value, everything: wanted === "everything" })}
        >
          <Stack gap="xs" mt={6}>
            <Radio value="everything" label={t("scopes.everything")} description={t("scopes.everythingHint")} />
            <Radio value="chosen" label={t("scopes.chosen")} description={t("scopes.nothingHint")} />
          </Stack>
        </Radio.Group>
      </Input.Wrapper>
      {!value.everything && <Boxes value={value} onChange={onChange} label={label} />}
      {who.accounts.length > 1 && (
        <MultiSelect
          label={t("scopes.accounts")}
          description={t("scopes.accountsHint")}
          data={who.accounts.map((account) => ({ value: account.id, label: account.name }))}
          value={[...value.accounts]}
          onChange={(accounts) => onChange({ ...value, accounts })}
          clearable
        />
      )}
    </Stack>
  );
}

function Boxes({
  value,
  onChange,
  label,
}: {
  value: ScopeSelection;
  onChange(value: ScopeSelection): void;
  label: string;
}) {
  const { data } = useScopeNames();
  if (data === undefined) return <LoadingSkeleton />;
  const set = (name: string, words: readonly string[]) => {
    const { [name]: _, ...others } = value.operations;
    onChange({ ...value, operations: words.length === 0 ? others : { ...others, [name]: words } });
  };
  const held = (name: string): readonly string[] => value.operations[name] ?? [];
  const everyType = { name: "*", label: t("scopes.anyType"), operations };
  const rows = [
    everyType,
    ...data
      .filter(({ name }) => name !== "me")
      .map((row) => ({ ...row, label: deriveLabel(row.label.replaceAll(" ", "_")) })),
  ];
  return (
    <>
      <Checkbox
        label={t("scopes.me")}
        checked={held("me").length > 0}
        onChange={(event) => set("me", event.currentTarget.checked ? ["All"] : [])}
      />
      <ScrollArea.Autosize
        mah={420}
        className="card"
        viewportProps={{ tabIndex: 0, role: "region", "aria-label": label }}
      >
        <Table verticalSpacing={6} horizontalSpacing={6} stickyHeader>
          <Table.Thead>
            <Table.Tr>
              <Table.Th>{t("scopes.type")}</Table.Th>
              {["all", ...operations].map((operation) => (
                <Table.Th key={operation} ta="center" {...(operation === "all" ? wideOnly : {})}>
                  <Text fz={11} fw={700}>
                    {t(`scopes.${operation as "all" | "Read"}`)}
                  </Text>
                </Table.Th>
              ))}
            </Table.Tr>
          </Table.Thead>
          <Table.Tbody>
            {rows.map(({ name, label: types }) => (
              <Table.Tr key={name}>
                <Table.Th scope="row" fw={name === "*" ? 600 : 400}>
                  {types}
                </Table.Th>
                <Table.Td {...wideOnly}>
                  <Checkbox
                    aria-label={t("scopes.allOf", { types })}
                    checked={held(name).length === operations.length}
                    indeterminate={held(name).length > 0 && held(name).length < operations.length}
                    onChange={(event) => set(name, event.currentTarget.checked ? operations : [])}
                    classNames={{ inner: "centered" }}
                  />
                </Table.Td>
                {operations.map((operation) => (
                  <Table.Td key={operation}>
                    <Checkbox
                      aria-label={t("scopes.cell", { operation: t(`scopes.${operation}`), types })}
                      checked={held(name).includes(operation)}
                      onChange={(event) =>
                        set(
                          name,
                          event.currentTarget.checked
                            ? [...held(name), operation]
                            : held(name).filter((word) => word !== operation),
                        )
                      }
                      classNames={{ inner: "centered" }}
                    />
                  </Table.Td>
                ))}
              </Table.Tr>
            ))}
          </Table.Tbody>
        </Table>
      </ScrollArea.Autosize>
    </>
  );
}
