import { Button, Checkbox, Stack } from "@mantine/core";
import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import type { EnumerationValue } from "../../../records/enumerations/index.ts";
import { useActions } from "../../actions/registry.ts";
import { useCurrentAccount } from "../../api/current-account.ts";
import { Chip } from "../../elements/chip.tsx";
import { errorText } from "../../elements/error-text.ts";
import { showMessage } from "../../elements/toast.tsx";
import { t } from "../../languages/index.ts";
import { choicesOf } from "../../languages/page-labels.ts";
import { Dialog } from "../../parts/dialogs/dialog.tsx";
import { ErrorMessage } from "../../parts/error-message.tsx";
import { LoadingSkeleton } from "../../parts/loading-skeleton.tsx";
import { personQueries } from "../../queries/workspace/people.ts";
import { roleLabel } from "./rights.ts";

type Role = EnumerationValue<"permission.role">;

/** The roles in this account, which its administrators can change, and those in others. */
export function PersonRoles({ person, name }: { person: number; name: string }) {
  const { account, api, isAdministrator } = useCurrentAccount();
  const [asking, setAsking] = useState(false);
  const { data, error, refetch } = useQuery(personQueries.roles(api, person));
  const change = { id: "person.roles", name: t("rights.changeRoles"), group: "record" } as const;
  useActions([{ ...change, when: isAdministrator && data !== undefined, run: () => setAsking(true) }]);
  if (error !== null) return <ErrorMessage error={error} retry={() => void refetch()} />;
  if (data === undefined) return <LoadingSkeleton rows={2} />;
  const here = data.find((each) => each.account.id === account.id)?.roles ?? [];
  const others = data.filter((each) => each.account.id !== account.id && each.roles.length > 0);
  return (
    <section className="card rights-card" aria-label={t("rights.rolesIn", { account: account.name })}>
      <div className="rights-head">
        <h2 className="rights-title">{t("rights.rolesIn", { account: account.name })}</h2>
        {isAdministrator && (
          <Button variant="default" size="sm" onClick={() => setAsking(true)}>
            {t("rights.changeRoles")}
          </Button>
        )}
      </div>
      <div className="rights-roles">
        {here.map((role) => (
          <Chip key={role} tone="blue">
            {roleLabel(role)}
          </Chip>
        ))}
        <Chip>{t("rights.everyone")}</Chip>
        {others.map((each) => (
          <span key={each.account.id} className="quiet">
            {each.account.name}: {each.roles.map(roleLabel).join(", ")}
          </span>
        ))}
      </div>
      {asking && <RoleDialog person={person} name={name} held={here} onClose={() => setAsking(false)} />}
    </section>
  );
}

type DialogProps = { person: number; name: string; held: readonly Role[]; onClose(): void };

function RoleDialog({ person, name, held, onClose }: DialogProps) {
  const { account, api } = useCurrentAccount();
  const queries = useQueryClient();
  const [roles, setRoles] = useState<readonly Role[]>(held);
  const save = useMutation({
    mutationFn: (): Promise<unknown> =>
      roles.length === 0
        ? api.call("DELETE /people/:id/permissions/:account", { id: person, account: account.id })
        : api.call("PATCH /people/:id/permissions/:account", { id: person, account: account.id }, { roles }),
    onSuccess: async () => {
      showMessage(t("rights.rolesSaved"));
      onClose();
      await Promise.all(
        [personQueries.roles(api, person).queryKey, personQueries.allRights(api, person)].map((queryKey) =>
          queries.invalidateQueries({ queryKey }),
        ),
      );
    },
  });
  const toggle = (role: Role, wanted: boolean) =>
    setRoles((before) => (wanted ? [...before, role] : before.filter((each) => each !== role)));
  return (
    <Dialog title={t("rights.rolesOf", { name })} loose={false} onClose={onClose}>
      <form
        onSubmit={(event) => {
          event.preventDefault();
          save.mutate();
        }}
      >
        <Stack gap="xs">
          <div className="role-choices">
            {choicesOf("permission.role").map((role) => (
              <Checkbox
                key={role}
                label={roleLabel(role)}
                checked={roles.includes(role)}
                onChange={(event) => toggle(role, event.currentTarget.checked)}
              />
            ))}
          </div>
          {save.error !== null && (
            <p className="form-error" role="alert">
              {errorText(save.error)}
            </p>
          )}
          <div className="dialog-actions">
            <Button variant="default" onClick={onClose}>
              {t("form.cancel")}
            </Button>
            <Button type="submit" loading={save.isPending}>
              {t("form.save")}
            </Button>
          </div>
        </Stack>
      </form>
    </Dialog>
  );
}
