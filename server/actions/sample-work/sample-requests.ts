import { statement, type Transaction } from "../../database/database.ts";
import type { Caller } from "../../engine/caller.ts";
import { create } from "../../engine/create.ts";
import type { Engine } from "../../engine/engine.ts";
import { keepSampleRanges } from "./sample-work.ts";

// A handful of requests for an account that has nothing yet, so that lists and pages show something. They are removed like
// the work of the demo company.

type Sample = { subject: string; note: string; category: string; impact: string; status: string };

// biome-ignore format: a table keeps its columns
const kinds: readonly Omit<Sample, "subject" | "note">[] = [
  { category: "incident", impact: "high",   status: "assigned" },
  { category: "incident", impact: "low",    status: "in_progress" },
  { category: "rfi",      impact: "",       status: "waiting_for_customer" },
  { category: "rfc",      impact: "",       status: "accepted" },
  { category: "incident", impact: "medium", status: "completed" },
];

type Words = readonly (readonly [subject: string, note: string])[];
const words: Readonly<Record<string, Words>> = {
  en: [
    [
      "Wi-Fi keeps dropping in the meeting rooms",
      "Since this morning we've been losing the connection every few minutes.",
    ],
    ["Printer on the first floor is leaving streaks", "Every page has a gray streak down the left side."],
    ["How do I share my calendar?", "I'd like my team to see when I'm out of the office."],
    ["Second monitor for my new desk", "I'm moving to the new office next week."],
    ["Can't open the expense form", "I just get a blank page after I sign in."],
  ],
  nl: [
    ["Wifi valt weg in de vergaderkamers", "Sinds vanochtend valt de verbinding om de paar minuten weg."],
    ["Printer op de eerste verdieping print strepen", "Op elke pagina staat links een grijze streep."],
    ["Hoe deel ik een agenda?", "Ik wil dat mijn collega’s zien wanneer ik afwezig ben."],
    ["Tweede beeldscherm voor de nieuwe werkplek", "Volgende week begin ik in het nieuwe kantoor."],
    ["Het declaratieformulier opent niet", "De pagina blijft leeg na het aanmelden."],
  ],
  de: [
    ["WLAN bricht in den Besprechungsräumen ab", "Seit heute Morgen ist die Verbindung alle paar Minuten weg."],
    ["Drucker im ersten Stock druckt Streifen", "Jede Seite hat links einen grauen Streifen."],
    ["Wie gebe ich einen Kalender frei?", "Meine Kollegen sollen sehen, wann ich nicht da bin."],
    ["Zweiter Bildschirm für den neuen Schreibtisch", "Nächste Woche ziehe ich in das neue Büro."],
    ["Spesenformular lässt sich nicht öffnen", "Nach der Anmeldung bleibt die Seite leer."],
  ],
  fr: [
    ["Le Wi-Fi coupe dans les salles de réunion", "Depuis ce matin, la connexion se perd toutes les quelques minutes."],
    ["L’imprimante du premier étage fait des rayures", "Chaque page a une bande grise à gauche."],
    ["Comment partager un calendrier ?", "J’aimerais que mes collègues voient quand je suis absent."],
    ["Deuxième écran pour le nouveau bureau", "Je m’installe dans le nouveau bureau la semaine prochaine."],
    ["Le formulaire de frais ne s’ouvre pas", "La page reste vide après la connexion."],
  ],
  es: [
    ["El wifi se corta en las salas de reuniones", "Desde esta mañana la conexión se pierde cada pocos minutos."],
    ["La impresora del primer piso deja rayas", "Cada página tiene una banda gris a la izquierda."],
    ["¿Cómo comparto un calendario?", "Quiero que mis compañeros vean cuándo no estoy."],
    ["Segundo monitor para el nuevo puesto", "La semana que viene me cambio de oficina."],
    ["No se abre el formulario de gastos", "La página queda vacía después de entrar."],
  ],
};

const selectLastId = (table: string) => statement(`SELECT coalesce(max(id), 0) FROM ${table}`);

/** `engine` is bound to `tx`. The requests are those of one person, in the language of the account. */
export async function loadSampleRequests(engine: Engine, tx: Transaction, by: Caller, person: number): Promise<void> {
  const type = engine.types.get("request");
  const last = async (): Promise<number> => Number((await tx.query(selectLastId(type.ownTable)))[0]?.[0] ?? 0);
  const before = await last();
  const texts = words[by.accountRecord.locale.split("-")[0] ?? "en"] ?? (words.en as Words); // English is always there
  for (const [at, { category, impact, status }] of kinds.entries()) {
    const [subject, note] = texts[at] as Words[number]; // every language has words for every kind
    const members = {
      ...{ subject, note, category, status, source: by.source },
      ...{ requested_by_id: person, requested_for_id: person, created_by_id: person },
      ...(impact === "" ? {} : { impact }),
      ...(status === "completed" ? { completion_reason: "solved" } : {}),
    };
    await create(engine, { ...by, changeOrigin: { kind: "sample_data" } }, type, { members });
  }
  keepSampleRanges((...fact) => tx.send(...fact), [[type.name, before, await last()]]);
}
