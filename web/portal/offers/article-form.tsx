import { useQuery } from "@tanstack/react-query";
import { type FormEvent, useRef } from "react";
import { useCurrentAccount } from "../../api/current-account.ts";
import { portalShopQueries } from "../../queries/portal/offers.ts";
import { type AnswersHandle, ExtensionAnswers } from "../form/extension-answers.tsx";
import { Dialog } from "../parts/dialog.tsx";
import { ErrorPanel, Loading } from "../parts/states.tsx";
import { t } from "../words.ts";

type Props = {
  article: { id: number; localized_name: string };
  busy: boolean;
  onClose(): void;
  /** Resolves to whether the article is in the cart now. */
  onDone(answers: Readonly<Record<string, unknown>>): Promise<boolean>;
};

/** The form of an article's UI extension, to fill in before the article is put into the cart. */
export function ArticleForm({ article, busy, onClose, onDone }: Props) {
  const { api } = useCurrentAccount();
  const { data, error, refetch } = useQuery(portalShopQueries.form(api, article.id));
  const answers = useRef<AnswersHandle>(null);
  const onSubmit = async (event: FormEvent) => {
    event.preventDefault();
    const form = answers.current;
    const values = form?.check() ?? null;
    if (values !== null && (await onDone(values))) form?.removeDraft();
  };
  return (
    <Dialog title={article.localized_name} onClose={onClose}>
      {error !== null && data === undefined && <ErrorPanel error={error} retry={() => void refetch()} />}
      {error === null && data === undefined && <Loading rows={3} />}
      {data !== undefined && (
        <form className="dialog-form" onSubmit={onSubmit} noValidate>
          <p className="quiet">{data.title ?? t("shop.questions")}</p>
          <ExtensionAnswers ref={answers} form={data} draftKey={`portal/shop/${article.id}`} />
          <div className="form-actions">
            <button type="submit" className="button primary" disabled={busy}>
              {t("shop.order")}
            </button>
            <button type="button" className="button" onClick={onClose}>
              {t("cancel")}
            </button>
          </div>
        </form>
      )}
    </Dialog>
  );
}
