import type { z } from 'zod';
import { MAX_AMOUNT_MINOR, PLATFORM_CURRENCY, toMajor } from '../../../workflows/commerce/money.rules';

type Json = z.core.util.JSONType;

const MINOR = /(?<=[a-z])Minor$/;
const BASIS_POINTS = /(?<=[a-z])Bp$/;
const BASIS_POINTS_PER_PERCENT = 100;

/**
 * A recorded state in the API's units, at any depth: minor units (`priceMinor: 1818`) become major units (`price:
 * 18.18`), basis points (`commissionBp: 1250`) a percentage (`commissionPercentage: 12.5`). The currency is that of the
 * same object, else of the nearest object around it, else the platform's.
 */
export function inMajorUnits(state: Json, currency: string = PLATFORM_CURRENCY): Json {
  if (Array.isArray(state)) return state.map((one) => inMajorUnits(one, currency));
  if (state === null || typeof state !== 'object') return state;
  const own = currencyOf(state) ?? currency;
  const converted = Object.entries(state).map(([name, value]): [string, Json] => {
    const [newName, newValue] = convert(name, value, own);
    // A field that has the new name already is not overwritten.
    return newName !== name && newName in state ? [name, value] : [newName, newValue];
  });
  return Object.fromEntries(converted);
}

function convert(name: string, value: Json, currency: string): [string, Json] {
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

/** `commissionBp` is `commissionPercentage` in the API; a rate or percentage keeps its name. */
const percentageName = (name: string): string =>
  /rate$|percentage$/i.test(name) ? name : `${name}Percentage`;

function currencyOf({ currency }: Readonly<Record<string, Json>>): string | null {
  return typeof currency === 'string' && /^[A-Z]{3}$/.test(currency) ? currency : null;
}
