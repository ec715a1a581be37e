import type { z } from 'zod';
import { MAX_AMOUNT_MINOR, PLATFORM_CURRENCY, toMajor } from '../../../workflows/commerce/money.rules';

type Json = z.core.util.JSONType;

const MINOR = /(?<=[a-z])Minor$/;
const BASIS_POINTS = /(?<=[a-z])Bp$/;
const BASIS_POINTS_PER_PERCENT = 100;

/**
 * A recorded state as the API says it: what is kept in minor units (`priceMinor: 1818`) in major units of its currency
 * (`price: 18.18`), basis points as a percentage (`commissionBp: 1250` is `commissionPercentage: 12.5`), at any depth. The currency is the one
 * beside the amount, else that of the nearest object around it, else the platform's.
 */
export function inMajorUnits(state: Json, currency: string = PLATFORM_CURRENCY): Json {
  if (Array.isArray(state)) return state.map((one) => inMajorUnits(one, currency));
  if (state === null || typeof state !== 'object') return state;
  const own = currencyOf(state) ?? currency;
  const spoken = Object.entries(state).map(([name, value]): [string, Json] => {
    const [said, as] = wordsFor(name, value, own);
    // A name that is there already keeps what it says.
    return said !== name && said in state ? [name, value] : [said, as];
  });
  return Object.fromEntries(spoken);
}

function wordsFor(name: string, value: Json, currency: string): [string, Json] {
  const isAmount = value === null || (Number.isInteger(value) && Math.abs(Number(value)) <= MAX_AMOUNT_MINOR);
  if (isAmount && MINOR.test(name))
    return [name.replace(MINOR, ''), value === null ? null : toMajor(Number(value), currency)];
  if (isAmount && BASIS_POINTS.test(name))
    return [
      percentageName(name.replace(BASIS_POINTS, '')),
      value === null ? null : Number(value) / BASIS_POINTS_PER_PERCENT,
    ];
  return [name, inMajorUnits(value, currency)];
}

/** `commissionBp` is `commissionPercentage` in the API; what is called a rate or percentage already stays so. */
const percentageName = (name: string): string =>
  /rate$|percentage$/i.test(name) ? name : `${name}Percentage`;

function currencyOf({ currency }: Readonly<Record<string, Json>>): string | null {
  return typeof currency === 'string' && /^[A-Z]{3}$/.test(currency) ? currency : null;
}
