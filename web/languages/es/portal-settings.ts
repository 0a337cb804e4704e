import type { portalSettings as english } from "../en/portal-settings.ts";
import type { Translation } from "../message.ts";

// biome-ignore format: one message per line
export const portalSettings: Translation<typeof english> = {
  "settings.portal": "Portal",
  "settings.portalLead": "Lo que ven los solicitantes: nombre, logotipo, color, catálogo",
  "portalSettings.open": "Abrir portal",
  "portalSettings.saved": "Guardado",
  "portalSettings.save": "Guardar",
  "portalSettings.name": "Nombre",
  "portalSettings.nameHint": "Se muestra en la parte superior del portal. Deje el campo vacío para usar el nombre de la cuenta.",
  "portalSettings.greeting": "Texto debajo del saludo",
  "portalSettings.greetingHint": "Una o dos frases",
  "portalSettings.accent": "Color de acento",
  "portalSettings.accentHint": "Se usa en botones y enlaces. El texto blanco debe leerse bien sobre él.",
  "portalSettings.tooLight": "El texto blanco no se lee bien sobre este color. Elija uno más oscuro.",
  "portalSettings.useInstead": "Usar {color} en su lugar",
  "portalSettings.logo": "Logotipo",
  "portalSettings.logoHint": "PNG, JPEG o WebP, hasta 40 KB",
  "portalSettings.logoProblem": "No se puede usar este archivo. Elija una imagen PNG, JPEG o WebP de hasta 40 KB.",
  "portalSettings.chooseFile": "Elegir archivo",
  "portalSettings.removeLogo": "Quitar logotipo",
  "portalSettings.order": "Orden del catálogo",
  "portalSettings.up": "Subir {label}",
  "portalSettings.down": "Bajar {label}",
  "portalSettings.tile.broken": "Algo no funciona",
  "portalSettings.tile.access": "Necesito acceso",
  "portalSettings.tile.equipment": "Necesito un equipo",
  "portalSettings.tile.people": "Alguien se incorpora o se va",
  "portalSettings.tile.booking": "Reservar u organizar algo",
  "portalSettings.tile.else": "Otra cosa",
};
