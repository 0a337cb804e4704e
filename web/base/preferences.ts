import { useSyncExternalStore } from "react";

// A person's preferences for the interface: stored in this browser immediately, and on the server for their other
// browsers.

export type Preferences = {
  density: "compact" | "comfortable";
  singleKeys: boolean;
  menuCollapsed: boolean;
  /** the menu item to start with; empty: the first */
  startPage: string;
};
const initial: Preferences = { density: "compact", singleKeys: true, menuCollapsed: false, startPage: "" };

const storageKey = "steward-preferences";
const listeners = new Set<() => void>();

function read(): Preferences {
  try {
    return { ...initial, ...JSON.parse(localStorage.getItem(storageKey) ?? "{}") };
  } catch {
    return initial; // storage is disabled, or contains something we didn't write
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
    // not stored: the preference lasts as long as the page
  }
  applyDensity();
  for (const listener of listeners) listener();
}

/** Applies the preferences stored on the server, which may have been set in another browser. */
export const applyPreferences = (kept: Partial<Preferences>): void => change({ ...current, ...kept });

let keep: (preferences: Preferences) => void = () => undefined;
/** Sets the function that stores every later choice. */
export const setPreferencesWriter = (keeper: (preferences: Preferences) => void): void => {
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
