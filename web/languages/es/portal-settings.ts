import type { portalSettings as english } from "../en/portal-settings.ts";
import type { Translation } from "../message.ts";

// biome-ignore format: one message per line
export const portalSettings: Translation<typeof english> = {
  "settings.portal": "Portal",
  "settings.portalLead": "Lo que ven los solicitantes: nombre, logotipo, color, catálogo",
  "portalSettings.open": "Abrir el portal",
  "portalSettings.saved": "Guardado",
  "portalSettings.save": "Guardar",
  "portalSettings.name": "Nombre",
  "portalSettings.nameHint": "Arriba en el portal; vacío: el nombre de la cuenta",
  "portalSettings.greeting": "Texto bajo el saludo",
  "portalSettings.greetingHint": "Una o dos frases",
  "portalSettings.accent": "Color",
  "portalSettings.accentHint": "De botones y enlaces; las palabras blancas deben leerse sobre él",
  "portalSettings.tooLight": "Las palabras blancas no se leen sobre este color.",
  "portalSettings.useInstead": "Usar {color}",
  "portalSettings.logo": "Logotipo",
  "portalSettings.logoHint": "PNG, JPEG o WebP, como máximo 40 KB",
  "portalSettings.logoProblem": "No es una imagen de ese tipo, o es demasiado grande.",
  "portalSettings.chooseFile": "Elegir un archivo",
  "portalSettings.removeLogo": "Quitar el logotipo",
  "portalSettings.order": "Orden del catálogo",
  "portalSettings.up": "{label}: subir",
  "portalSettings.down": "{label}: bajar",
  "portalSettings.tile.broken": "Algo no funciona",
  "portalSettings.tile.access": "Necesito acceso",
  "portalSettings.tile.equipment": "Necesito un equipo",
  "portalSettings.tile.people": "Alguien llega o se va",
  "portalSettings.tile.booking": "Reservar u organizar algo",
  "portalSettings.tile.else": "Otra cosa",
};
