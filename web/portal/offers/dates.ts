/** The date of a moment in the browser's zone, in the format of a date input. */
export const toDate = (at: number): string => {
  const date = new Date(at);
  const two = (number: number) => String(number).padStart(2, "0");
  return `${date.getFullYear()}-${two(date.getMonth() + 1)}-${two(date.getDate())}`;
};
