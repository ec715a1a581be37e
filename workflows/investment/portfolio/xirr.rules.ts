import { DAY_MS } from '../../kit/values/durations.rules';

const DAYS_A_YEAR = 365;

/** Money from (below zero) or to the investor, in minor units, on a day (ISO 8601, UTC). */
export interface Flow {
  date: string;
  amountMinor: number;
}

/** A flow at a time in years after the first. */
interface TimedFlow {
  years: number;
  amount: number;
}

/** The logarithms of growth a year that are searched, on both sides of zero. Below them a rate is −100 % in every digit. */
const MOST_LOG_GROWTH = 200;
/** The first interval on each side of a rate of zero; each further one is half as long again. */
const FIRST_STEP = 0.05;
const WIDENING = 1.5;
const MOST_ITERATIONS = 200;
const PRECISION = 1e-14;

/**
 * The internal rate of return a year of flows on any days: the rate r at which Σ amount × (1 + r)^(−days / 365) is zero, as
 * a fraction. The last flow is the value that is there at the end, if there is one.
 *
 * Where flows change their sign several times and several rates fit, the one nearest to zero is answered. −1 where money
 * was put in and nothing, or next to nothing, came out until a later day; 0 where no rate is defined: nothing was put in, everything happened on one day, or no
 * rate fits.
 *
 * Source: XIRR as Microsoft Excel and OpenDocument 1.3 part 4, §6.12.51 define it. The root is found by Newton's method
 * within a bracket, with bisection where a step would leave it (Press et al., Numerical Recipes, 3rd edition, §9.4); the
 * unknown is ln(1 + r), so that every rate above −100 % can be reached and no power overflows.
 */
export function xirr(flows: readonly Flow[]): number {
  const timed = inYears(flows);
  if (!timed.some(({ amount }) => amount < 0)) return 0;
  if (!timed.some(({ amount }) => amount > 0)) return new Set(flows.map(dayOf)).size > 1 ? -1 : 0;
  const bracket = bracketOf(timed);
  if (bracket !== null) return Math.expm1(rootWithin(timed, bracket));
  return isNearlyAllLost(timed) ? -1 : 0;
}

/** The days from the first flow of money to the last. */
export function spanDays(flows: readonly Flow[]): number {
  const timed = inYears(flows);
  return Math.round((timed.at(-1)?.years ?? 0) * DAYS_A_YEAR);
}

const dayOf = ({ date }: Flow): number => Math.floor(Date.parse(date) / DAY_MS);

/** One flow a day, in order; days whose flows cancel out are left out. */
function inYears(flows: readonly Flow[]): TimedFlow[] {
  const byDay = new Map<number, number>();
  for (const flow of flows) byDay.set(dayOf(flow), (byDay.get(dayOf(flow)) ?? 0) + flow.amountMinor);
  const days = [...byDay].filter(([, amount]) => amount !== 0).sort(([a], [b]) => a - b);
  const first = days[0]?.[0] ?? 0;
  return days.map(([day, amount]) => ({ years: (day - first) / DAYS_A_YEAR, amount }));
}

/**
 * The net present value at a logarithm of growth, and its slope. Below zero growth it is the value at the last flow
 * instead: the same sign and the same roots, and all exponents stay at or below zero.
 */
function valueAt(flows: readonly TimedFlow[], logGrowth: number): { value: number; slope: number } {
  const origin = logGrowth < 0 ? (flows.at(-1)?.years ?? 0) : 0;
  let value = 0;
  let slope = 0;
  for (const { years, amount } of flows) {
    const distance = years - origin;
    const term = amount * Math.exp(-logGrowth * distance);
    value += term;
    slope -= distance * term;
  }
  return { value, slope };
}

/** True if the only rate that fits is below all that are searched: at the lowest of them the value is still negative. */
const isNearlyAllLost = (flows: readonly TimedFlow[]): boolean =>
  (flows.at(-1)?.amount ?? 0) > 0 && valueAt(flows, -MOST_LOG_GROWTH).value < 0;

/** The interval nearest to zero at whose ends the value has different signs, so that a root lies in it; null: none. */
function bracketOf(flows: readonly TimedFlow[]): [low: number, high: number] | null {
  const isAbove = (logGrowth: number) => valueAt(flows, logGrowth).value > 0;
  const atZero = isAbove(0);
  let [near, step] = [0, FIRST_STEP];
  let [aboveUp, aboveDown] = [atZero, atZero];
  while (near < MOST_LOG_GROWTH) {
    const far = Math.min(near + step, MOST_LOG_GROWTH);
    const [farUp, farDown] = [isAbove(far), isAbove(-far)];
    if (farUp !== aboveUp) return [near, far];
    if (farDown !== aboveDown) return [-far, -near];
    [near, step, aboveUp, aboveDown] = [far, step * WIDENING, farUp, farDown];
  }
  return null;
}

/** Halves the bracket whenever Newton's step would leave it or gains less than half. */
function rootWithin(flows: readonly TimedFlow[], bracket: readonly [number, number]): number {
  let [low, high] = bracket;
  const lowIsAbove = valueAt(flows, low).value > 0;
  let at = (low + high) / 2;
  let lastStep = high - low;
  for (let i = 0; i < MOST_ITERATIONS; i += 1) {
    const { value, slope } = valueAt(flows, at);
    if (value === 0) return at;
    if (value > 0 === lowIsAbove) low = at;
    else high = at;
    const newton = at - value / slope;
    const isSafe = newton > low && newton < high && Math.abs(newton - at) < lastStep / 2;
    const next = isSafe ? newton : (low + high) / 2;
    lastStep = Math.abs(next - at);
    if (lastStep <= PRECISION) return next;
    at = next;
  }
  return at;
}
