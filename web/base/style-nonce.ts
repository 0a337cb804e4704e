// The page allows style elements only with the nonce it came with; browsers hide it from selectors, not from scripts.
export const styleNonce = document.querySelector<HTMLMetaElement>('meta[property="csp-nonce"]')?.nonce ?? "";

// The scroll lock of dialogs writes a style element of its own and looks here for the nonce.
Object.assign(globalThis, { __webpack_nonce__: styleNonce });
