import { useQuery } from "@tanstack/react-query";
import { type FormEvent, useRef } from "react";
import { portalApi } from "../../api/portal.ts";
import { useCurrentAccount } from "../../current-account.ts";
import { type AnswersHandle, ExtensionAnswers } from "../form/extension-answers.tsx";
import { Dialog } from "../parts/dialog.tsx";
import { ErrorPanel, Loading } from "../parts/states.tsx";
import { t } from "../words.ts";

type Props = {
  article: { id: number; localized_name: string };
  busy: boolean;
  onClose(): void;
  /** whether the article is in the basket now */
  onDone(answers: Readonly<Record<string, unknown>>): Promise<boolean>;
};

/** What has to be known of an article before it is put into the basket: the form of its UI extension. */
export function ArticleForm({ article, busy, onClose, onDone }: Props) {
  const { account } = useCurrentAccount();
  const { data, error, refetch } = useQuery({
    queryKey: [account.id, "shop form", article.id],
    queryFn: () => portalApi(account.id).shopForm(article.id),
    staleTime: 300_000,
  });
  const answers = useRef<AnswersHandle>(null);
  const onSubmit = async (event: FormEvent) => {
    event.preventDefault();
    const form = answers.current;
    const given = form?.check() ?? null;
    if (given !== null && (await onDone(given))) form?.removeDraft();
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
