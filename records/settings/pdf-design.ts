import { id, record, timestamps } from "../vocabulary/index.ts";

export const pdfDesign = record("pdf_design", {
  collection: "pdf_designs",
  fields: { id, ...timestamps },
});
