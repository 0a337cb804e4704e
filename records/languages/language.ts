export type Language = {
  choices: Record<string, Record<string, string>>; // enumeration key -> wire value -> label
  fields: Record<string, string>; // field name -> label
  messages: Record<string, string>; // English template -> translated template, {placeholders} kept
};
