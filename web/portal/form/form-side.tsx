import IconAlertTriangle from "@tabler/icons-react/dist/esm/icons/IconAlertTriangle.mjs";
import IconBulb from "@tabler/icons-react/dist/esm/icons/IconBulb.mjs";
import IconCheck from "@tabler/icons-react/dist/esm/icons/IconCheck.mjs";
import IconMail from "@tabler/icons-react/dist/esm/icons/IconMail.mjs";
import IconRubberStamp from "@tabler/icons-react/dist/esm/icons/IconRubberStamp.mjs";
import IconTool from "@tabler/icons-react/dist/esm/icons/IconTool.mjs";
import type { RequestForm } from "../../../records/answers/portal-forms.ts";
import { Icon, type IconComponent } from "../../elements/icon.tsx";
import { useAddresses } from "../addresses.ts";
import { useFindings } from "../home/search-box.tsx";
import { formatUsual } from "../parts/spans.ts";
import { useHome } from "../queries.ts";
import { Link } from "../router.tsx";
import { t } from "../words.ts";

/** Help before sending: known outages, and articles that match the typed text. */
export function Quicker({ text, isBroken, onSolved }: { text: string; isBroken: boolean; onSolved(): void }) {
  const at = useAddresses();
  const { data } = useFindings(text);
  const { data: home } = useHome();
  // An outage may be what the person is about to report; a warning is shown only if it mentions the same words.
  const outages = (home?.broadcasts ?? []).filter(
    ({ message_type, message }) =>
      (message_type === "outage" && isBroken) ||
      (["outage", "warning"].includes(message_type) && sharesWord(text, message)),
  );
  const articles = text.trim().length > 2 ? (data?.articles ?? []).slice(0, 3) : [];
  const similar = text.trim().length > 2 ? (data?.similar ?? []).slice(0, 2) : [];
  return (
    <div aria-live="polite">
      {outages.length > 0 && (
        <section className="panel side-card">
          <h2 className="side-title" data-tone="orange">
            <Icon of={IconAlertTriangle} size={20} /> {t("form.known")}
          </h2>
          {outages.map(({ id, message }) => (
            <p key={id}>{message}</p>
          ))}
        </section>
      )}
      {(articles.length > 0 || similar.length > 0) && (
        <section className="panel side-card quicker">
          <h2 className="side-title" data-tone="yellow">
            <Icon of={IconBulb} size={20} /> {t("form.quicker")}
          </h2>
          <ul className="plain-list">
            {articles.map((article) => (
              <li key={article.id}>
                <Link to={at.article(article.id)}>{String(article.subject)}</Link>
                <p className="quiet">{plainText(String(article.description ?? ""))}</p>
              </li>
            ))}
            {similar.map((request) => (
              <li key={request.id}>
                <Link to={at.request(request.id)}>{String(request.subject)}</Link>
                <p className="quiet">{t("form.alreadyAsked")}</p>
              </li>
            ))}
          </ul>
          {articles.length > 0 && (
            <button type="button" className="button" onClick={onSolved}>
              <Icon of={IconCheck} size={18} /> {t("form.solvedIt")}
            </button>
          )}
        </section>
      )}
    </div>
  );
}

const listWords = (text: string): string[] => text.toLowerCase().match(/[\p{L}\p{N}]{3,}/gu) ?? [];
function sharesWord(text: string, message: string): boolean {
  const messageWords = new Set(listWords(message));
  return listWords(text).some((word) => messageWords.has(word) && !commonWords.has(word));
}
/** Common words of the five languages, which don't identify a subject. */
const commonWords = new Set(
  "the and not for with from this that was are you have has can der die das und nicht mit ist ein eine het een niet van met voor les des une est pas pour avec los las una con por para que del".split(
    " ",
  ),
);

/** Text without its markup, for one line below a title. */
const plainText = (text: string): string => text.replace(/[*_~`#>]/g, "").slice(0, 140);

export function WhatHappens({ form }: { form: RequestForm | null }) {
  const steps = form?.steps ?? [{ kind: "work" as const, text: null }];
  return (
    <section className="panel side-card">
      <h2>{t("form.then")}</h2>
      <ol className="then">
        {steps.map(({ kind, text }) =>
          kind === "approval" ? (
            <Step
              key={kind}
              icon={IconRubberStamp}
              title={t("form.thenApproval")}
              detail={t("form.thenApprovalLead")}
            />
          ) : (
            <Step
              key={kind}
              icon={IconTool}
              title={text === null ? t("form.thenWork") : t("form.thenWorkBy", { team: text })}
              detail={form?.usual_minutes == null ? t("form.thenWorkLead") : formatUsual(form.usual_minutes)}
            />
          ),
        )}
        <Step icon={IconMail} title={t("form.thenMessage")} detail={t("form.thenMessageLead")} />
      </ol>
    </section>
  );
}

const Step = ({ icon, title, detail }: { icon: IconComponent; title: string; detail: string }) => (
  <li>
    <span className="tile-icon small" data-tone="grey">
      <Icon of={icon} size={18} />
    </span>
    <span>
      <b>{title}</b>
      <span className="quiet">{detail}</span>
    </span>
  </li>
);
