import type { firstRun as english } from "../en/first-run.ts";
import type { Translation } from "../message.ts";

// biome-ignore format: one message per line
export const firstRun = {
  "session.again": "Opnieuw aanmelden",
  "session.lead": "Uw sessie is beëindigd. Wat u hebt getypt, staat er nog.",
  "session.password": "Wachtwoord",
  "session.continue": "Aanmelden en doorgaan",
  "session.other": "Als iemand anders aanmelden",
  "steps.title": "Eerste stappen",
  "steps.progress": "{done} van {total}",
  "steps.look": "Een aanvraag bekijken",
  "steps.lookLead": "Wat er is gevraagd en gezegd, welk doel telt",
  "steps.make": "Een aanvraag maken",
  "steps.makeLead": "Een naam, een service, één zin: de rest volgt vanzelf",
  "steps.rule": "Een regel schrijven en proberen",
  "steps.ruleLead": "De proef laat zien wat de regel zou doen en verandert niets",
  "steps.webhook": "Een webhook toevoegen",
  "steps.webhookLead": "Een ander programma hoort het als er iets verandert",
  "steps.invite": "Een collega toevoegen",
  "steps.inviteLead": "Met een rol kan die meteen beginnen",
  "steps.skip": "Overslaan",
  "steps.skipName": "Overslaan: {step}",
  "steps.done": "Gedaan",
  "steps.skipped": "Overgeslagen",
  "steps.hide": "Verbergen",
  "steps.allDone": "Alles gedaan. Zoek naar ‘Eerste stappen’ om ze weer te zien.",
  "steps.open": "Nog niet gedaan",
} as const satisfies Translation<typeof english>;
