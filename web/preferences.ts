import { useSyncExternalStore } from "react";

// What a person has chosen for this browser. Kept here at once; whoever keeps it on the server too listens.

export type Preferences = {
  density: "compact" | "comfortable";
  singleKeys: boolean;
  menuCollapsed: boolean;
};
const initial: Preferences = { density: "compact", singleKeys: true, menuCollapsed: false };

const storageKey = "steward-preferences";
const listeners = new Set<() => void>();

function read(): Preferences {
  try {
    return { ...initial, ...(JSON.parse(localStorage.getItem(storageKey) ?? "{}") as Partial<Preferences>) };
  } catch {
    return initial; // storage is switched off, or holds what we did not write
  }
}

let current = read();

const applyDensity = (): void => document.documentElement.setAttribute("data-density", current.density);
applyDensity();

export const getPreference = <Name extends keyof Preferences>(name: Name): Preferences[Name] => current[name];

export function setPreference<Name extends keyof Preferences>(name: Name, value: Preferences[Name]): void {
  current = { ...current, [name]: value };
  try {
    localStorage.setItem(storageKey, JSON.stringify(current));
  } catch {
    // it lasts as long as the page then
  }
  applyDensity();
  for (const listener of listeners) listener();
}

const subscribe = (listener: () => void): (() => void) => {
  listeners.add(listener);
  return () => void listeners.delete(listener);
};

export const usePreference = <Name extends keyof Preferences>(name: Name): Preferences[Name] =>
  useSyncExternalStore(subscribe, () => current[name]);
