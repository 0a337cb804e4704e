// The page allows style elements only with the nonce it was loaded with; browsers hide it from selectors, not from
// scripts.
export const styleNonce = document.querySelector<HTMLMetaElement>('meta[property="csp-nonce"]')?.nonce ?? "";

// The scroll lock of dialogs inserts a style element and reads the nonce from here.
Object.assign(globalThis, { __webpack_nonce__: styleNonce });
