import "react";

// Styles may set custom properties, which React's types leave out.
declare module "react" {
  interface CSSProperties {
    [property: `--${string}`]: string | number | undefined;
  }
}
