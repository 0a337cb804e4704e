import type { firstRun as english } from "../en/first-run.ts";
import type { Translation } from "../message.ts";

// biome-ignore format: one message per line
export const firstRun = {
  "session.again": "Erneut anmelden",
  "session.lead": "Ihre Sitzung ist abgelaufen. Ihre Eingaben sind noch da.",
  "session.password": "Passwort",
  "session.continue": "Anmelden und fortfahren",
  "session.other": "Als andere Person anmelden",
  "steps.title": "Erste Schritte",
  "steps.progress": "{done} von {total}",
  "steps.look": "Anfrage öffnen",
  "steps.lookLead": "Frage, Konversation und Ziel ansehen",
  "steps.make": "Anfrage erstellen",
  "steps.makeLead": "Ein Name, ein Service und ein Satz genügen",
  "steps.rule": "Regel erstellen und testen",
  "steps.ruleLead": "Ein Test zeigt, was die Regel tun würde, ohne etwas zu ändern",
  "steps.webhook": "Webhook hinzufügen",
  "steps.webhookLead": "Ein anderes System benachrichtigen, wenn sich etwas ändert",
  "steps.invite": "Kollegen hinzufügen",
  "steps.inviteLead": "Mit einer Rolle kann die Arbeit sofort losgehen",
  "steps.skip": "Überspringen",
  "steps.skipName": "Überspringen: {step}",
  "steps.done": "Erledigt",
  "steps.skipped": "Übersprungen",
  "steps.hide": "Ausblenden",
  "steps.allDone": "Alles erledigt. Suchen Sie nach „Erste Schritte“, um sie wieder anzuzeigen.",
  "steps.open": "Noch nicht erledigt",
} as const satisfies Translation<typeof english>;
