/** While the code of a dialog is on its way, keys belong to it and not to the page behind; see actions/keys.ts. */
export const LoadingDialog = () => <span hidden data-dialog-loading />;
