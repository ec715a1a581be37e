/** Currencies that Stripe counts in other units than ISO 4217. */
const OTHER_UNITS: readonly string[] = ['ISK', 'MGA', 'UGX'];

/** True if Stripe counts this currency in the units that we count it in. */
export const hasOurUnits = (currency: string): boolean => !OTHER_UNITS.includes(currency);
