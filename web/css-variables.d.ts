import "react";

// React's types cover the properties of CSS, but not custom ones.
declare module "react" {
  interface CSSProperties {
    [name: `--${string}`]: string | number | undefined;
  }
}
