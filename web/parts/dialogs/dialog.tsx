import { Modal } from "@mantine/core";
import type { ReactNode } from "react";
import { t } from "../../languages/index.ts";
import { focusMarked } from "./dialog-focus.ts";
import { useReturnFocus } from "./return-focus.ts";

type Props = {
  title: string;
  size?: "md" | "lg";
  /** a click outside closes it too; not if something would be lost */
  loose?: boolean;
  onClose(): void;
  children: ReactNode;
};

/** A window above the page. Built from Mantine's parts, because its header must not be a banner landmark. */
export function Dialog({ title, size = "md", loose = true, onClose, children }: Props) {
  useReturnFocus();
  return (
    <Modal.Root opened onClose={onClose} size={size} centered closeOnClickOutside={loose}>
      <Modal.Overlay />
      <Modal.Content ref={focusMarked} className={loose ? undefined : "dialog-form"}>
        <Modal.Header role="presentation">
          <Modal.Title fw={650} fz="lg">
            {title}
          </Modal.Title>
          <Modal.CloseButton aria-label={t("app.close")} />
        </Modal.Header>
        <Modal.Body>{children}</Modal.Body>
      </Modal.Content>
    </Modal.Root>
  );
}
