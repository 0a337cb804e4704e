import { expect, test } from "vitest";
import { fr as names } from "../../../records/languages/names/fr.ts";
import { fillMessage } from "../index.ts";
import { byGender } from "./gender.ts";

const message = byGender({ masculine: "Nouveau {type}", vowel: "Nouvel {type}", feminine: "Nouvelle {type}" });

test.each([
  ["demande", "Nouvelle demande"],
  ["équipe", "Nouvelle équipe"],
  ["instance de service", "Nouvelle instance de service"],
  ["URL courte", "Nouvelle URL courte"],
  ["article de connaissances", "Nouvel article de connaissances"],
  ["élément de configuration", "Nouvel élément de configuration"],
  ["workflow", "Nouveau workflow"],
  ["type of its own", "Nouveau type of its own"],
])("%s: %s", (type, text) => expect(fillMessage(message, { type })).toBe(text));

test("a sentence begins with the same forms, and the masculine one serves where no other is given", () => {
  const created = byGender({ masculine: "{type} créé", feminine: "{type} créée" });
  expect(fillMessage(created, { type: "Tâche" })).toBe("Tâche créée");
  expect(fillMessage(created, { type: "Élément de configuration" })).toBe("Élément de configuration créé");
});

test("a name that ends its first word like a feminine one is known as such", () => {
  const ending = /(tion|sion|ure|ie|ée|ance|esse|ique)$/;
  const known = Object.values(names.types).filter(([name]) => ending.test(name.split(" ")[0] ?? name));
  expect(known.length).toBeGreaterThan(20);
  expect(known.filter(([type]) => !fillMessage(message, { type }).startsWith("Nouvelle "))).toEqual([]);
});
