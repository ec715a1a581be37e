import type { RefRefund } from './facts';

/** An exact fraction, in no lowest terms. The denominator is above zero. */
export interface Rational {
  readonly n: bigint;
  readonly d: bigint;
}

export const rational = (n: bigint | number, d: bigint | number = 1): Rational => ({
  n: BigInt(n),
  d: BigInt(d),
});
export const plus = (a: Rational, b: Rational): Rational => ({ n: a.n * b.d + b.n * a.d, d: a.d * b.d });
export const minus = (a: Rational, b: Rational): Rational => plus(a, { n: -b.n, d: b.d });
export const times = (a: Rational, b: Rational): Rational => ({ n: a.n * b.n, d: a.d * b.d });
export const isLess = (a: Rational, b: Rational): boolean => a.n * b.d < b.n * a.d;
export const least = (a: Rational, b: Rational): Rational => (isLess(a, b) ? a : b);
export const most = (a: Rational, b: Rational): Rational => (isLess(a, b) ? b : a);
export const total = (parts: readonly Rational[]): Rational => parts.reduce(plus, rational(0));

/** The integer at or below a fraction. */
export function floor({ n, d }: Rational): number {
  const quotient = n / d;
  return Number(n < 0n && quotient * d !== n ? quotient - 1n : quotient);
}

/** Half up: 2.5 is 3. */
export const rounded = (value: Rational): number => floor(plus(value, rational(1, 2)));

/** Units of their lines first, the rest in proportion of what is left; whole cents by the largest remainder. */
export function split(left: readonly number[], goods: number, parts: RefRefund['parts']): number[] {
  const sum = (amounts: readonly number[]): number => amounts.reduce((all, one) => all + one, 0);
  const wanted = Math.min(goods, sum(left));
  const units = left.map((most, line) =>
    Math.min(most, sum(parts.filter((part) => part.line === line).map((part) => part.goods))),
  );
  if (sum(units) >= wanted) return proportional(wanted, units);
  const rest = left.map((most, line) => most - units[line]!);
  return proportional(wanted - sum(units), rest).map((amount, line) => amount + units[line]!);
}

function proportional(amount: number, weights: readonly number[]): number[] {
  const all = weights.reduce((sum, weight) => sum + weight, 0);
  if (all === 0) return weights.map(() => 0);
  const exact = weights.map((weight) => rational(BigInt(amount) * BigInt(weight), all));
  const whole = exact.map(floor);
  const order = exact
    .map((value, line) => ({ line, rest: minus(value, rational(whole[line]!)) }))
    .sort((a, b) => (isLess(b.rest, a.rest) ? -1 : isLess(a.rest, b.rest) ? 1 : a.line - b.line));
  const missing = amount - whole.reduce((sum, one) => sum + one, 0);
  for (const { line } of order.slice(0, missing)) whole[line]!++;
  return whole;
}
