export type Question = {
  id: number;
  question: string;
  type: "star_rating" | "text";
  guidance: string | null;
  weight: number | null;
  position: number;
  disabled: boolean;
};
