import "react";

// React's types know the properties of CSS, but no custom ones.
declare module "react" {
  interface CSSProperties {
    [name: `--${string}`]: string | number | undefined;
  }
}
