import type { listLayouts as english } from "../en/list-layouts.ts";
import type { Translation } from "../message.ts";

// biome-ignore format: one message per line
export const listLayouts: Translation<typeof english> = {
  "layout.choose": "Affichage",
  "layout.table": "Tableau",
  "layout.board": "Kanban par statut",
  "layout.calendar": "Calendrier",
  "board.move": "Déplacer vers",
  "board.card": "Actions pour {name}",
  "board.empty": "Déposez des cartes ici",
  "board.moved": "{name} : passage au statut {status}",
  "board.more": "Afficher plus ({count} sur {total} affichés)",
  "board.keys": "Appuyez sur Maj et une flèche pour passer la carte au statut suivant.",
  "calendar.previous": "Mois précédent",
  "calendar.next": "Mois suivant",
  "calendar.today": "Aujourd’hui",
  "calendar.by": "Champ de date",
  "calendar.more": "{count} de plus",
  "calendar.empty": "Aucune fiche ce mois-ci",
  "calendar.cut": "Seules les {count} premières fiches de ce mois sont affichées",
  "bulk.tag": "Étiquette",
  "view.default": "Par défaut pour l’équipe",
  "view.makeDefault": "Définir par défaut pour l’équipe",
  "view.noDefault": "Ne plus utiliser par défaut pour l’équipe",
  "filter.sheet": { one: "Filtres, {count} actif", other: "Filtres, {count} actifs" },
  "filter.done": "Afficher les résultats",
  "row.menu": "Actions pour {name}",
  "row.open": "Ouvrir",
  "row.openTab": "Ouvrir dans un nouvel onglet",
  "row.select": "Sélectionner",
  "row.keyMenu": "Ouvrir le menu de la ligne",
};
