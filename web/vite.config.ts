import { readFileSync } from "node:fs";
import { join } from "node:path";
import { defineConfig, type Plugin } from "vite";
import { register } from "../records/index.ts";
import { de } from "../records/languages/de.ts";
import { en } from "../records/languages/en.ts";
import { es } from "../records/languages/es.ts";
import { fr } from "../records/languages/fr.ts";
import type { Language } from "../records/languages/language.ts";
import { nl } from "../records/languages/nl.ts";
import { grants } from "../records/people/roles.ts";

const server = process.env.STEWARD_URL ?? "http://127.0.0.1:8080";

const buildTypeIndex = () =>
  register.map((type) => {
    const {
      name,
      collection,
      storage: { journal },
      access: { restricted, onlyRoles },
      routes: { singleton, onlyThroughLinks },
    } = type;
    const { enumeration } = (type.fields.status ?? {}) as { enumeration?: string };
    return {
      name,
      ...(collection === `${name}s` ? {} : { collection }),
      ...(journal ? { storage: { journal } } : {}),
      ...(restricted || onlyRoles !== null ? { access: { restricted, onlyRoles } } : {}),
      ...(type.ownedBy.length === 0 && !singleton && !onlyThroughLinks ? { listed: true } : {}),
      ...(enumeration === undefined || enumeration === `${name}.status` ? {} : { statuses: enumeration }),
    };
  });

/** The grants of each role, without the conditions, which only the server evaluates: one grant for each type. */
const buildGrants = () =>
  Object.fromEntries(
    Object.entries(grants).map(([role, list]) => {
      const types = [...new Set(list.map(({ on }) => on))];
      const pickMay = (type: string) => new Set(list.flatMap(({ on, may }) => (on === type ? may : [])));
      return [role, types.map((on) => ({ on, may: [...pickMay(on)] }))];
    }),
  );

/** The choices that inbox rows show. */
const pickFirstChoices = ({ choices }: Language): Language["choices"] =>
  Object.fromEntries(
    Object.entries(choices).filter(([name]) => /^(request|task|problem|project_task)\.(status|impact)$/.test(name)),
  );

/** Modules that contain a small part of a large declaration, or a text of the repository; see virtual-modules.d.ts. */
function smallParts(): Plugin {
  const languages: Readonly<Record<string, Language>> = { en, nl, de, fr, es };
  const wanted = /^virtual:(type-index|grants|change-log|first-choices\/(\w+))$/;
  return {
    name: "small-parts",
    resolveId: (id) => (wanted.test(id) ? `\0${id}` : null),
    load(id) {
      const [, what, language = ""] = wanted.exec(id.slice(1)) ?? [];
      if (!id.startsWith("\0") || what === undefined) return null;
      if (what === "change-log") {
        const text = readFileSync(join(import.meta.dirname, "../CHANGELOG.md"), "utf8");
        return `export const changeLog = ${JSON.stringify(text)};`;
      }
      if (what === "grants") return `export const grants = ${JSON.stringify(buildGrants())};`;
      if (what === "type-index") return `export const types = ${JSON.stringify(buildTypeIndex())};`;
      return `export const choices = ${JSON.stringify(pickFirstChoices(languages[language] ?? en))};`;
    },
  };
}

const isEntry = (id: string): boolean => /\.html$|main\.tsx$/.test(id);
const [workspaceStart, portalStart] = ["main.tsx", "portal/main.tsx"].map((file) =>
  join(import.meta.dirname, file),
) as [string, string];
const inboxScreen = `${import.meta.dirname}/workspace/inbox/inbox.tsx`;
/** The pages that are opened all day. */
const everydayScreens = ["lists/list-screen", "new-request/new-request", "work-item/request-page"].map(
  (screen) => `${import.meta.dirname}/workspace/${screen}.tsx`,
);

type FindModule = (id: string) => { importedIds: readonly string[]; dynamicallyImportedIds: readonly string[] } | null;
const below = new Map<string, Set<string>>();

/**
 * Whether a module is loaded together with another one, by its direct and indirect imports; with `later`, also by
 * dynamic imports.
 */
function isBelow(start: string, id: string, find: FindModule, later = false): boolean {
  const key = `${start} ${later}`;
  const found = below.get(key) ?? new Set<string>();
  const add = (each: string): void => {
    if (found.has(each)) return;
    found.add(each);
    const { importedIds = [], dynamicallyImportedIds = [] } = find(each) ?? {};
    for (const next of later ? [...importedIds, ...dynamicallyImportedIds] : importedIds) add(next);
  };
  if (found.size === 0) add(start);
  below.set(key, found);
  return found.has(id);
}

export default defineConfig({
  root: import.meta.dirname,
  base: "/web/",
  plugins: [smallParts()],
  // React itself provides useSyncExternalStore; the shim for older versions would only add weight.
  resolve: { alias: { "use-sync-external-store/shim": "use-sync-external-store" } },
  build: {
    outDir: "dist",
    emptyOutDir: true,
    target: "es2022",
    modulePreload: {
      polyfill: false,
      // The frame lists the files that each page preloads. Small files are left out, and loaded by the page that needs
      // them: listing them would cost more than it saves.
      resolveDependencies: (_file, names, { hostType }) =>
        hostType === "html" ? names : names.filter((name) => /\.css$|\/shared-/.test(name)),
    },
    reportCompressedSize: false,
    // The dependencies between files, from which tests/unit/web-weight.test.ts adds up what a page loads.
    manifest: "manifest.json",
    // An icon inlined as a data: URL would need a wider content security policy than the page's.
    assetsInlineLimit: 0,
    chunkSizeWarningLimit: 1000,
    rolldownOptions: {
      // The workspace and the portal are separate: no page loads both.
      input: ["index.html", "portal.html"].map((page) => join(import.meta.dirname, page)),
      // Libraries mark their files for React server components; the mark has no effect here.
      onwarn: (warning, warn) => warning.code === "MODULE_LEVEL_DIRECTIVE" || warn(warning),
      output: {
        // Many small files compress badly. So the code of every page is one file, the inbox is another, and code shared
        // by most pages is a third, which is loaded while idle after the first page has rendered.
        codeSplitting: {
          groups: [
            {
              debugName: "base",
              tags: ["$initial"],
              test: (id) => !isEntry(id),
              name(id, context) {
                const find: FindModule = (each) => context.getModuleInfo(each);
                // Code added by the build itself, and the common base of both applications.
                if (id.startsWith("\0") && !id.includes("virtual:")) return "base";
                if (!isBelow(portalStart, id, find)) return null;
                // The portal's styles are loaded with its scripts, and they style some class names of the workspace
                // differently: no workspace page may depend on that file.
                if (isBelow(workspaceStart, id, find) || isBelow(inboxScreen, id, find)) return "base";
                if (isBelow(workspaceStart, id, find, true)) return "either";
                return /\/web\/(queries\/)?portal\/|\.css$/.test(id) ? "portal" : "base";
              },
              priority: 5,
            },
            // Code of both applications that the portal loads after its first page. In a file with parts of the
            // workspace, a portal page would load those and their styles, which style the same class names differently.
            {
              debugName: "both",
              test: (id) => !isEntry(id) && !id.includes("/languages/"),
              name(id, context) {
                const find: FindModule = (each) => context.getModuleInfo(each);
                if (isBelow(portalStart, id, find) || !isBelow(portalStart, id, find, true)) return null;
                if (!isBelow(workspaceStart, id, find, true)) return null;
                if (isBelow(workspaceStart, id, find) || isBelow(inboxScreen, id, find)) return "common";
                if (!id.includes("tabler")) return "texts";
                // Otherwise everyday pages would load all icons for one of them.
                return everydayScreens.some((screen) => isBelow(screen, id, find)) ? "common" : "icons";
              },
              priority: 4,
            },
            { debugName: "frame", tags: ["$initial"], test: (id) => !isEntry(id), name: "frame", priority: 3 },
            {
              debugName: "inbox",
              name: (id, context) => (isBelow(inboxScreen, id, (each) => context.getModuleInfo(each)) ? "inbox" : null),
              // A library exports all of its parts from one file, most of which the inbox doesn't use.
              test: (id) => !id.includes("node_modules") || id.includes("tabler"),
              priority: 2,
            },
            {
              debugName: "shared",
              // Not modules that the portal uses, too, because it would load the whole file; nor modules that only rare
              // pages share.
              name(id, context) {
                const find: FindModule = (each) => context.getModuleInfo(each);
                if (isBelow(portalStart, id, find, true)) return null;
                // Modules used only by the work item page are bundled with it, also for workflows and projects.
                const users = everydayScreens.filter((screen) => isBelow(screen, id, find));
                const isOwn = users.length === 1 && /\/workspace\/work-item\//.test(id);
                return users.length > 0 && !isOwn ? "shared" : null;
              },
              // Few pages show times in a zone other than the reader's.
              test: (id) => !/\/(time-zones|iana-zone)\.ts$/.test(id),
              minShareCount: 3,
              priority: 1,
            },
          ],
        },
      },
    },
  },
  // During development (npm run dev:web) the pages are served by Vite and everything else by a running server.
  server: { proxy: Object.fromEntries(["/v1", "/session-api", "/sign_in", "/assets"].map((path) => [path, server])) },
});
