import type { firstRun as english } from "../en/first-run.ts";
import type { Translation } from "../message.ts";

// biome-ignore format: one message per line
export const firstRun = {
  "session.again": "Se reconnecter",
  "session.lead": "Votre session a expiré. Votre saisie est conservée.",
  "session.password": "Mot de passe",
  "session.continue": "Se connecter et continuer",
  "session.other": "Se connecter avec un autre compte",
  "steps.title": "Premiers pas",
  "steps.progress": "{done} sur {total}",
  "steps.look": "Ouvrir une demande",
  "steps.lookLead": "Voir la question, la conversation et l’objectif",
  "steps.make": "Créer une demande",
  "steps.makeLead": "Un nom, un service et une phrase suffisent",
  "steps.rule": "Créer et tester une règle",
  "steps.ruleLead": "Le test montre ce que ferait la règle, sans rien modifier",
  "steps.webhook": "Ajouter un webhook",
  "steps.webhookLead": "Notifier un autre système quand quelque chose change",
  "steps.invite": "Ajouter un collègue",
  "steps.inviteLead": "Donnez-lui un rôle pour commencer tout de suite",
  "steps.skip": "Ignorer",
  "steps.skipName": "Ignorer : {step}",
  "steps.done": "Fait",
  "steps.skipped": "Ignoré",
  "steps.hide": "Masquer",
  "steps.allDone": "Tout est fait. Recherchez « Premiers pas » pour revoir ces étapes.",
  "steps.open": "Pas encore fait",
} as const satisfies Translation<typeof english>;
