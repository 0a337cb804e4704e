import { join } from "node:path";
import { defineConfig, type Plugin } from "vite";
import { register } from "../records/index.ts";
import { de } from "../records/languages/de.ts";
import { en } from "../records/languages/en.ts";
import { es } from "../records/languages/es.ts";
import { fr } from "../records/languages/fr.ts";
import type { Language } from "../records/languages/language.ts";
import { nl } from "../records/languages/nl.ts";

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
      collection,
      ...(journal ? { storage: { journal } } : {}),
      ...(restricted || onlyRoles !== null ? { access: { restricted, onlyRoles } } : {}),
      ...(type.ownedBy.length === 0 && !singleton && !onlyThroughLinks ? { listed: true } : {}),
      ...(enumeration === undefined || enumeration === `${name}.status` ? {} : { statuses: enumeration }),
    };
  });

/** The choices that rows of the inbox show. */
const pickFirstChoices = ({ choices }: Language): Language["choices"] =>
  Object.fromEntries(
    Object.entries(choices).filter(([name]) => /^(request|task|problem|project_task)\.(status|impact)$/.test(name)),
  );

/** Modules that are a small part of a large declaration; see virtual-modules.d.ts. */
function smallParts(): Plugin {
  const languages: Readonly<Record<string, Language>> = { en, nl, de, fr, es };
  const wanted = /^virtual:(type-index|first-choices\/(\w+))$/;
  return {
    name: "small-parts",
    resolveId: (id) => (wanted.test(id) ? `\0${id}` : null),
    load(id) {
      const [, what, language = ""] = wanted.exec(id.slice(1)) ?? [];
      if (!id.startsWith("\0") || what === undefined) return null;
      if (what === "type-index") return `export const entries = ${JSON.stringify(buildTypeIndex())};`;
      return `export const choices = ${JSON.stringify(pickFirstChoices(languages[language] ?? en))};`;
    },
  };
}

const isPortal = (id: string): boolean => id.includes("/web/portal/");
const isEntry = (id: string): boolean => /\.html$|main\.tsx$/.test(id);
const workspaceEntry = `${import.meta.dirname}/main.tsx`;
const portalEntry = `${import.meta.dirname}/portal/main.tsx`;
const inboxScreen = `${import.meta.dirname}/workspace/inbox/inbox.tsx`;

type FindModule = (id: string) => { importedIds: readonly string[] } | null;
const below = new Map<string, Set<string>>();

/** Whether a module is loaded with another one: by its imports, and theirs. */
function isBelow(start: string, id: string, find: FindModule): boolean {
  const found = below.get(start) ?? new Set<string>();
  const add = (each: string): void => {
    if (found.has(each)) return;
    found.add(each);
    for (const next of find(each)?.importedIds ?? []) add(next);
  };
  if (found.size === 0) add(start);
  below.set(start, found);
  return found.has(id);
}

/** What an entry needs at once. */
function nameEntryFile(id: string, find: FindModule): string | null {
  const isOfWorkspace = isBelow(workspaceEntry, id, find);
  if (!isBelow(portalEntry, id, find)) return isOfWorkspace ? "frame" : null;
  return isOfWorkspace ? "common" : "portal";
}

export default defineConfig({
  root: import.meta.dirname,
  base: "/web/",
  plugins: [smallParts()],
  build: {
    outDir: "dist",
    emptyOutDir: true,
    target: "es2022",
    modulePreload: { polyfill: false },
    reportCompressedSize: false,
    // Which file needs which: tests/unit/web-weight.test.ts adds up what a page loads.
    manifest: true,
    // An icon inlined as a data: URL would need a wider content security policy than the page has.
    assetsInlineLimit: 0,
    chunkSizeWarningLimit: 1000,
    rolldownOptions: {
      // The workspace and the portal: nobody loads the other one.
      input: ["index.html", "portal.html"].map((page) => join(import.meta.dirname, page)),
      // Libraries mark their files for servers that render React; here that means nothing.
      onwarn: (warning, warn) => warning.code === "MODULE_LEVEL_DIRECTIVE" || warn(warning),
      output: {
        // Many small files compress badly. So what workspace and portal both need is one file, the frame of each another,
        // the inbox a third, and what most pages share is a fourth, which is loaded when the first page stands and
        // nothing else is to be done.
        codeSplitting: {
          groups: [
            {
              debugName: "entries",
              tags: ["$initial"],
              name: (id, context) => nameEntryFile(id, (each) => context.getModuleInfo(each)),
              test: (id) => !isEntry(id),
              priority: 3,
            },
            {
              debugName: "inbox",
              name: (id, context) => (isBelow(inboxScreen, id, (each) => context.getModuleInfo(each)) ? "inbox" : null),
              // A library names all of its parts in one file, most of which the inbox does not use.
              test: (id) => !id.includes("node_modules") || id.includes("tabler"),
              priority: 2,
            },
            { name: "shared", test: (id) => !isPortal(id), minShareCount: 3, priority: 1 },
          ],
        },
      },
    },
  },
  // While developing (npm run dev:web) the pages come from Vite and everything else from a running server.
  server: { proxy: Object.fromEntries(["/v1", "/session-api", "/sign_in", "/assets"].map((path) => [path, server])) },
});
