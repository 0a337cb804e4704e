import { type KeyboardEvent, useRef, useState } from "react";

/**
 * A search box above links: Enter opens the first one, Escape clears the box, and the arrow keys move from the box
 * through the links and back.
 */
export function useLinkSearch<Container extends HTMLElement>() {
  const [text, setText] = useState("");
  const input = useRef<HTMLInputElement>(null);
  const container = useRef<Container>(null);
  const listLinks = () => [...(container.current?.querySelectorAll("a") ?? [])];
  const onInputKeyDown = (event: KeyboardEvent) => {
    if (event.key === "Enter" && text.trim() !== "") listLinks()[0]?.click();
    else if (event.key === "ArrowDown") listLinks()[0]?.focus();
    else if (event.key === "Escape" && text !== "") setText("");
    else return;
    event.preventDefault();
  };
  const onLinkKeyDown = (event: KeyboardEvent) => {
    const step = event.key === "ArrowDown" ? 1 : event.key === "ArrowUp" ? -1 : 0;
    const links = listLinks();
    const at = links.findIndex((link) => link.isSameNode(document.activeElement));
    if (step === 0 || at < 0) return;
    event.preventDefault();
    if (at + step < 0) input.current?.focus();
    else links[at + step]?.focus();
  };
  return { text, setText, input, container, onInputKeyDown, onLinkKeyDown };
}
