import "react";

// Styles may set custom properties, which the types of React leave out.
declare module "react" {
  interface CSSProperties {
    [property: `--${string}`]: string | number | undefined;
  }
}
