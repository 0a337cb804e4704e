import type { firstRun as english } from "../en/first-run.ts";
import type { Translation } from "../message.ts";

// biome-ignore format: one message per line
export const firstRun = {
  "session.again": "Se reconnecter",
  "session.lead": "Votre session a pris fin. Ce que vous avez écrit est toujours là.",
  "session.password": "Mot de passe",
  "session.continue": "Se connecter et continuer",
  "session.other": "Se connecter avec un autre compte",
  "steps.title": "Premiers pas",
  "steps.progress": "{done} sur {total}",
  "steps.look": "Regarder une demande",
  "steps.lookLead": "Ce qui a été demandé et dit, quel objectif compte",
  "steps.make": "Créer une demande",
  "steps.makeLead": "Un nom, un service, une phrase : le reste en découle",
  "steps.rule": "Écrire une règle et l’essayer",
  "steps.ruleLead": "L’essai montre ce que la règle ferait et ne change rien",
  "steps.webhook": "Ajouter un webhook",
  "steps.webhookLead": "Un autre programme est prévenu quand quelque chose change",
  "steps.invite": "Ajouter un collègue",
  "steps.inviteLead": "Avec un rôle, la personne peut commencer tout de suite",
  "steps.skip": "Passer",
  "steps.skipName": "Passer : {step}",
  "steps.done": "Fait",
  "steps.skipped": "Passé",
  "steps.hide": "Masquer",
  "steps.allDone": "Tout est fait. Cherchez « Premiers pas » pour les revoir.",
  "steps.open": "Pas encore fait",
} as const satisfies Translation<typeof english>;
