import { useSyncExternalStore } from "react";

// What a person has chosen about the interface: kept in this browser at once, and on the server for their others.

export type Preferences = {
  density: "compact" | "comfortable";
  singleKeys: boolean;
  menuCollapsed: boolean;
  /** the item of the menu to start with; empty: the first */
  startPage: string;
};
const initial: Preferences = { density: "compact", singleKeys: true, menuCollapsed: false, startPage: "" };

const storageKey = "steward-preferences";
const listeners = new Set<() => void>();

function read(): Preferences {
  try {
    return { ...initial, ...JSON.parse(localStorage.getItem(storageKey) ?? "{}") };
  } catch {
    return initial; // storage is switched off, or holds what we did not write
  }
}

let current = read();

const applyDensity = (): void => document.documentElement.setAttribute("data-density", current.density);
applyDensity();

function change(next: Preferences): void {
  current = next;
  try {
    localStorage.setItem(storageKey, JSON.stringify(current));
  } catch {
    // it lasts as long as the page then
  }
  applyDensity();
  for (const listener of listeners) listener();
}

/** What the server has kept of the person, who may have chosen it elsewhere. */
export const adoptPreferences = (kept: Partial<Preferences>): void => change({ ...current, ...kept });

let keep: (preferences: Preferences) => void = () => undefined;
/** Who keeps every choice from now on. */
export const keepPreferencesBy = (keeper: (preferences: Preferences) => void): void => {
  keep = keeper;
};

export const getPreference = <Name extends keyof Preferences>(name: Name): Preferences[Name] => current[name];

export function setPreference<Name extends keyof Preferences>(name: Name, value: Preferences[Name]): void {
  change({ ...current, [name]: value });
  keep(current);
}

const subscribe = (listener: () => void): (() => void) => {
  listeners.add(listener);
  return () => void listeners.delete(listener);
};

export const usePreference = <Name extends keyof Preferences>(name: Name): Preferences[Name] =>
  useSyncExternalStore(subscribe, () => current[name]);
