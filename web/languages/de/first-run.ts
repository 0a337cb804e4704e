import type { firstRun as english } from "../en/first-run.ts";
import type { Translation } from "../message.ts";

// biome-ignore format: one message per line
export const firstRun = {
  "session.again": "Erneut anmelden",
  "session.lead": "Ihre Sitzung ist beendet. Was Sie geschrieben haben, ist noch da.",
  "session.password": "Passwort",
  "session.continue": "Anmelden und fortfahren",
  "session.other": "Als jemand anderes anmelden",
  "steps.title": "Erste Schritte",
  "steps.progress": "{done} von {total}",
  "steps.look": "Eine Anfrage ansehen",
  "steps.lookLead": "Was gefragt und gesagt wurde, welches Ziel zählt",
  "steps.make": "Eine Anfrage anlegen",
  "steps.makeLead": "Ein Name, ein Service, ein Satz: der Rest ergibt sich",
  "steps.rule": "Eine Regel schreiben und ausprobieren",
  "steps.ruleLead": "Die Probe zeigt, was die Regel täte, und ändert nichts",
  "steps.webhook": "Einen Webhook anlegen",
  "steps.webhookLead": "Ein anderes Programm erfährt, wenn sich etwas ändert",
  "steps.invite": "Eine Kollegin oder einen Kollegen anlegen",
  "steps.inviteLead": "Mit einer Rolle kann die Person sofort anfangen",
  "steps.skip": "Überspringen",
  "steps.skipName": "Überspringen: {step}",
  "steps.done": "Erledigt",
  "steps.skipped": "Übersprungen",
  "steps.hide": "Ausblenden",
  "steps.allDone": "Alles erledigt. Suchen Sie nach „Erste Schritte“, um sie wieder zu sehen.",
  "steps.open": "Noch nicht erledigt",
} as const satisfies Translation<typeof english>;
