import type { shell as english } from "../en/shell.ts";
import type { Translation } from "../message.ts";

// biome-ignore format: one message per line
export const shell = {
  "app.name": "Steward",
  "app.skip": "Ir al contenido",
  "app.menu": "Menú",
  "app.navigation": "Principal",
  "app.account": "Cuenta",
  "app.switchAccount": "Cambiar de cuenta",
  "app.userMenu": "Tu menú",
  "app.profile": "Perfil",
  "app.portal": "Ver como solicitante",
  "app.signOut": "Cerrar sesión",
  "app.apiDocs": "Referencia de la API",
  "app.theme": "Apariencia",
  "app.theme.light": "Claro",
  "app.theme.dark": "Oscuro",
  "app.theme.auto": "Como el sistema",
  "app.loading": "Cargando",
  "app.close": "Cerrar",

  "group.work": "Trabajo",
  "group.people": "Personas",
  "group.configuration": "Servicios y tableros",
  "group.settings": "Configuración",
  "group.journal": "Diario",


  "search.label": "Buscar",
  "search.placeholder": "Buscar",
  "search.title": "Búsqueda",
  "search.for": "Búsqueda: {text}",
  "search.nothingAsked": "¿Qué buscas?",
  "search.nothingAskedLead": "Escribe unas palabras: un asunto, un nombre, algo de una nota o un número.",
  "search.none": "No se encontró nada para «{text}»",
  "search.noneLead": "Deben aparecer todas las palabras; pon | entre palabras si basta con una.",
  "broadcast.region": "Avisos",
  "broadcast.outage": "Avería",
  "broadcast.warning": "Atención",
  "broadcast.available": "Resuelto",
  "broadcast.info": "Info",
  "broadcast.more": { one: "{count} más", other: "{count} más" },
  "broadcast.tellMe": "Avisarme cuando esté resuelto",
  "broadcast.told": "Le avisaremos",
  "broadcast.subscribed": "Le avisaremos cuando esté resuelto.",
  "broadcast.close": "Ocultar este mensaje",
} as const satisfies Translation<typeof english>;
