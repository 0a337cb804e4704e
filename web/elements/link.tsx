import { Anchor, type AnchorProps } from "@mantine/core";
import type { ReactNode } from "react";
import { linkTo } from "../base/history.ts";

export function Link({ to, children, ...rest }: { to: string; children: ReactNode } & AnchorProps) {
  return (
    <Anchor inherit {...rest} {...linkTo(to)}>
      {children}
    </Anchor>
  );
}
