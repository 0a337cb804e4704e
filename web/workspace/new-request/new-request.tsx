import { Button, Checkbox, Modal } from "@mantine/core";
import { useMediaQuery } from "@mantine/hooks";
import IconTemplate from "@tabler/icons-react/dist/esm/icons/IconTemplate.mjs";
import { type KeyboardEvent, type ReactNode, useMemo, useRef, useState } from "react";
import { useActions } from "../../actions/registry.ts";
import { CurrentAccountContext, useCurrentAccount } from "../../api/current-account.ts";
import { Kbd } from "../../elements/kbd.tsx";
import { t } from "../../languages/index.ts";
import { focusMarked } from "../../parts/dialogs/dialog-focus.ts";
import { DraftNote } from "../work-item/composer/draft-note.tsx";
import { AccountChoice, type WorkAccount } from "./account-choice.tsx";
import { RequestFields } from "./request-fields.tsx";
import { SuggestionPanel } from "./suggestion-panel.tsx";
import { type NewRequest, useNewRequest } from "./use-new-request.tsx";
import "../../styles/request.css";

// A new request from anywhere in ten seconds: three inputs; the rest is derived and shown in one line.

/** People who work in several accounts can register it in any of them, from anywhere. */
export function NewRequestDialog({ onClose }: { onClose(): void }) {
  const here = useCurrentAccount();
  const [account, setAccount] = useState<WorkAccount>(here.account);
  const chosen = useMemo(() => ({ who: here.who, account }), [here.who, account]);
  return (
    <CurrentAccountContext value={chosen}>
      <NewRequestForm onAccount={setAccount} onClose={onClose} />
    </CurrentAccountContext>
  );
}

/** Ctrl+Enter creates the request; Ctrl+Shift+Enter also opens its page. */
const buildKeyHandler = (create: NewRequest["create"]) => (event: KeyboardEvent) => {
  if (event.key !== "Enter") return;
  const isChoice = event.target instanceof Element && event.target.getAttribute("role") === "combobox";
  if (!(event.metaKey || event.ctrlKey)) {
    // Enter in a list chooses an option; it doesn't create the request as in other inputs.
    if (isChoice) event.preventDefault();
    return;
  }
  event.preventDefault();
  event.stopPropagation();
  void create(event.shiftKey);
};

function NewRequestForm({ onAccount, onClose }: { onAccount(account: WorkAccount): void; onClose(): void }) {
  const phone = useMediaQuery("(max-width: 47.99em)", false, { getInitialValueInEffect: false });
  const element = useRef<HTMLFormElement>(null);
  const templateInput = useRef<HTMLInputElement>(null);
  const form = useNewRequest(element, onAccount, onClose);
  const chooseTemplate = { id: "newRequest.templates", name: t("newRequest.template"), group: "write" } as const;
  useActions([{ ...chooseTemplate, keys: "t", icon: IconTemplate, run: () => templateInput.current?.focus() }], {
    inDialog: true,
  });
  return (
    <Modal.Root
      opened
      onClose={onClose}
      size={964}
      centered={!phone}
      fullScreen={phone === true}
      closeOnClickOutside={false}
    >
      <Modal.Overlay />
      {/* The keys work wherever in the dialog the focus is, even in the account choice. */}
      <Modal.Content ref={focusMarked} onKeyDownCapture={buildKeyHandler(form.create)}>
        <Modal.Header role="presentation" className="new-request-bar">
          <div className="new-request-head">
            <Modal.Title fw={650} fz="lg">
              {t("newRequest.title")}
            </Modal.Title>
            <span className="quiet">{t("newRequest.in")}</span>
            <AccountChoice onChoose={form.moveTo} />
            <DraftNote draft={form.draft} />
          </div>
          <Modal.CloseButton aria-label={t("app.close")} />
        </Modal.Header>
        <Modal.Body p={0}>
          <form
            ref={element}
            onSubmit={(event) => {
              event.preventDefault();
              void form.create(false);
            }}
          >
            <div className="new-request-body">
              <RequestFields form={form} templateInput={templateInput} />
              <SuggestionSide form={form} phone={phone === true} />
            </div>
            <FormFoot form={form} />
          </form>
        </Modal.Body>
      </Modal.Content>
    </Modal.Root>
  );
}

function SuggestionSide({ form, phone }: { form: NewRequest; phone: boolean }) {
  const { suggestions, state, set } = form;
  const similar = suggestions?.similar.length ?? 0;
  return (
    <aside
      className="new-request-side"
      hidden={phone && similar === 0 && suggestions?.articles.length === 0}
      aria-label={t("newRequest.suggestions")}
    >
      {/* On a phone collapsed to one line. */}
      <Folded when={phone} label={t("newRequest.few", { count: similar })}>
        <SuggestionPanel
          suggestions={suggestions}
          person={state.requested_for}
          article={state.knowledge_article}
          onArticle={(knowledge_article) => set({ knowledge_article })}
          onAddTo={(row) => void form.addTo(row)}
        />
      </Folded>
    </aside>
  );
}

function FormFoot({ form }: { form: NewRequest }) {
  return (
    <div className="new-request-foot">
      {form.isInTeam && (
        <Checkbox
          label={t("newRequest.toMe")}
          checked={form.state.assignToMe}
          onChange={(event) => form.set({ assignToMe: event.currentTarget.checked })}
        />
      )}
      <Checkbox
        label={t("newRequest.another")}
        checked={form.another}
        onChange={(event) => form.setAnother(event.currentTarget.checked)}
      />
      <div className="new-request-buttons">
        <Button variant="subtle" onClick={form.discard}>
          {t("newRequest.discard")}
        </Button>
        <Button type="submit" loading={form.busy} rightSection={<Kbd keys="mod+enter" />}>
          {t("newRequest.create")}
        </Button>
      </div>
    </div>
  );
}

function Folded({ when, label, children }: { when: boolean; label: string; children: ReactNode }) {
  if (!when) return children;
  return (
    <details className="new-request-folded">
      <summary>{label}</summary>
      {children}
    </details>
  );
}
