import type { firstRun as english } from "../en/first-run.ts";
import type { Translation } from "../message.ts";

// biome-ignore format: one message per line
export const firstRun = {
  "session.again": "Opnieuw inloggen",
  "session.lead": "Uw sessie is verlopen. Wat u hebt getypt, staat er nog.",
  "session.password": "Wachtwoord",
  "session.continue": "Inloggen en doorgaan",
  "session.other": "Als iemand anders inloggen",
  "steps.title": "Eerste stappen",
  "steps.progress": "{done} van {total}",
  "steps.look": "Een aanvraag openen",
  "steps.lookLead": "Bekijk de vraag, het gesprek en het doel",
  "steps.make": "Een aanvraag aanmaken",
  "steps.makeLead": "Een naam, een service en één zin zijn genoeg",
  "steps.rule": "Een regel maken en testen",
  "steps.ruleLead": "Een test laat zien wat de regel zou doen, zonder iets te wijzigen",
  "steps.webhook": "Een webhook toevoegen",
  "steps.webhookLead": "Informeer een ander systeem als er iets verandert",
  "steps.invite": "Een collega toevoegen",
  "steps.inviteLead": "Geef uw collega een rol om meteen te kunnen beginnen",
  "steps.skip": "Overslaan",
  "steps.skipName": "Overslaan: {step}",
  "steps.done": "Gereed",
  "steps.skipped": "Overgeslagen",
  "steps.hide": "Verbergen",
  "steps.allDone": "Alles is gedaan. Zoek naar “Eerste stappen” om ze weer te zien.",
  "steps.open": "Nog niet gedaan",
} as const satisfies Translation<typeof english>;
