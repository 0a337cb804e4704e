import { fr as names } from "../../../records/languages/names/fr.ts";

// "Nouveau workflow", "Nouvel article", "Nouvelle demande": words that agree with the record type next to them.

/** The first words of the names of record types that are feminine. */
// biome-ignore format: a list keeps its layout
const feminine = new Set([
  "Adresse", "Allocation", "Annonce", "Approbation", "Attribution", "Catégorie", "Classe", "Clé", "Collection",
  "Colonne", "Demande", "Enquête", "Entrée", "Équipe", "Étiquette", "Extension", "Facture", "Fiche", "Instance", "Ligne",
  "Mise", "Note", "Offre", "Organisation", "Période", "Personne", "Phase", "Pièce", "Plage", "Politique", "Question",
  "Réaction", "Règle", "Relance", "Relation", "Réponse", "Réservation", "Saisie", "Tâche", "Traduction", "URL", "Version",
]);
const startsWithVowel = /^[aeiouyàâéèêîôûœ]/i;

type Forms = Readonly<{ masculine: string; feminine: string; vowel?: string }>;

/** A message with {type}; `vowel` is the masculine form before a vowel. */
export function byGender(forms: Forms): Readonly<{ by: "type"; other: string } & Record<string, string>> {
  const byName: Record<string, string> = {};
  for (const [name] of Object.values(names.types)) {
    const [word = name] = name.split(" ");
    const form = feminine.has(word) ? forms.feminine : startsWithVowel.test(word) ? forms.vowel : undefined;
    if (form === undefined) continue;
    byName[name] = form;
    byName[name.charAt(0).toLowerCase() + name.slice(1)] = form; // in the middle of a sentence
  }
  return { ...byName, by: "type", other: forms.masculine };
}
