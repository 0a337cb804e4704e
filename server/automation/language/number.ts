import { Failure } from "./errors.ts";

// Exact numbers: integers are plain, others are fractions of integers. 0.1 + 0.2 = 0.3, and 1 / 3 * 3 = 1.

class Fraction {
  readonly top: bigint;
  readonly bottom: bigint;
  constructor(top: bigint, bottom: bigint) {
    this.top = top;
    this.bottom = bottom;
  }
}

export type Numeric = number | Fraction;

const maxMagnitude = 1n << 2048n;
const [safe, one] = [BigInt(Number.MAX_SAFE_INTEGER), 1n];

function greatestCommonDivisor(a: bigint, b: bigint): bigint {
  while (b !== 0n) [a, b] = [b, a % b];
  return a < 0n ? -a : a;
}

/** In lowest terms; a plain number where possible. */
export function createFraction(top: bigint, bottom: bigint): Numeric {
  if (bottom === 0n) throw new Failure("evaluation", "division by zero");
  if (bottom < 0n) [top, bottom] = [-top, -bottom];
  const common = bottom === one ? one : greatestCommonDivisor(top, bottom);
  if (common > one) [top, bottom] = [top / common, bottom / common];
  if (bottom === one && top <= safe && top >= -safe) return Number(top);
  if (top > maxMagnitude || top < -maxMagnitude || bottom > maxMagnitude)
    throw new Failure("limit", "the number is too large");
  return new Fraction(top, bottom);
}

const getNumerator = (value: Numeric): bigint => (typeof value === "number" ? BigInt(value) : value.top);
const getDenominator = (value: Numeric): bigint => (typeof value === "number" ? one : value.bottom);

/** "12", "-2.50"; null: no number. */
export function parseNumber(text: string): Numeric | null {
  if (text.length > 100) return null;
  const match = /^\s*([+-]?)(\d{1,30})(?:\.(\d{1,20}))?\s*$/.exec(text);
  if (match === null) return null;
  const [, sign, whole, part = ""] = match as unknown as [string, string, string, string | undefined];
  const top = BigInt(whole + part);
  return createFraction(sign === "-" ? -top : top, 10n ** BigInt(part.length));
}

/** A JavaScript number by its printed form. */
export function fromNumber(value: number): Numeric {
  if (Number.isSafeInteger(value)) return value === 0 ? 0 : value;
  return parseNumber(value.toFixed(12)) ?? 0;
}

export const isNumeric = (value: unknown): value is Numeric => typeof value === "number" || value instanceof Fraction;

const isPlainResult = (a: Numeric, b: Numeric, result: number): boolean =>
  typeof a === "number" && typeof b === "number" && Number.isSafeInteger(result);

export function add(a: Numeric, b: Numeric): Numeric {
  const quick = (a as number) + (b as number);
  if (isPlainResult(a, b, quick)) return quick;
  return createFraction(
    getNumerator(a) * getDenominator(b) + getNumerator(b) * getDenominator(a),
    getDenominator(a) * getDenominator(b),
  );
}

export const negate = (a: Numeric): Numeric =>
  typeof a === "number" ? (a === 0 ? 0 : -a) : new Fraction(-a.top, a.bottom);
export const subtract = (a: Numeric, b: Numeric): Numeric => add(a, negate(b));

export function multiply(a: Numeric, b: Numeric): Numeric {
  const quick = (a as number) * (b as number);
  if (isPlainResult(a, b, quick)) return quick === 0 ? 0 : quick;
  return createFraction(getNumerator(a) * getNumerator(b), getDenominator(a) * getDenominator(b));
}

export function divide(a: Numeric, b: Numeric): Numeric {
  if (typeof a === "number" && typeof b === "number" && b !== 0 && a % b === 0) return a === 0 ? 0 : a / b;
  return createFraction(getNumerator(a) * getDenominator(b), getDenominator(a) * getNumerator(b));
}

/** The remainder, with the sign of the dividend. */
export function remainder(a: Numeric, b: Numeric): Numeric {
  const [top, bottom] = [getNumerator(a) * getDenominator(b), getNumerator(b) * getDenominator(a)];
  if (bottom === 0n) throw new Failure("evaluation", "division by zero");
  return createFraction(top % bottom, getDenominator(a) * getDenominator(b));
}

export function compareNumbers(a: Numeric, b: Numeric): number {
  if (typeof a === "number" && typeof b === "number") return a - b;
  const difference = getNumerator(a) * getDenominator(b) - getNumerator(b) * getDenominator(a);
  return difference < 0n ? -1 : difference > 0n ? 1 : 0;
}

export const toFloat = (value: Numeric): number => (typeof value === "number" ? value : Number(printNumber(value)));

const maxDecimals = 20;

/** All decimals if they end within twenty places, otherwise the first twenty. */
export function printNumber(value: Numeric): string {
  if (typeof value === "number") return String(value);
  const [top, sign] = value.top < 0n ? [-value.top, "-"] : [value.top, ""];
  let [rest, decimals] = [top % value.bottom, ""];
  for (let i = 0; i < maxDecimals && rest !== 0n; i++) {
    rest *= 10n;
    decimals += String(rest / value.bottom);
    rest %= value.bottom;
  }
  return `${sign}${top / value.bottom}${decimals === "" ? "" : `.${decimals}`}`;
}
