/** The currency of prices, balances and payments. */
export const PLATFORM_CURRENCY = 'USD';

/** Currencies that do not have two decimals (ISO 4217). */
const UNUSUAL_DIGITS: ReadonlyMap<string, number> = new Map([
  ...['BIF', 'CLP', 'DJF', 'GNF', 'ISK', 'JPY', 'KMF', 'KRW', 'PYG', 'RWF'].map((code) => [code, 0] as const),
  ...['UGX', 'UYI', 'VND', 'VUV', 'XAF', 'XOF', 'XPF'].map((code) => [code, 0] as const),
  ...['BHD', 'IQD', 'JOD', 'KWD', 'LYD', 'OMR', 'TND'].map((code) => [code, 3] as const),
  ['CLF', 4],
  ['UYW', 4],
]);

/** The largest amount. A JSON number holds every decimal of up to fifteen digits exactly. */
export const MAX_AMOUNT_MINOR = 999_999_999_999_999;

/** The number of decimals of this currency. */
export function currencyDigits(currency: string): number {
  return UNUSUAL_DIGITS.get(currency) ?? 2;
}

/** Major units for people and JSON: 1999 USD cents → 19.99. Throws RangeError when `minor` is no exact amount. */
export function toMajor(minor: number, currency: string): number {
  if (!Number.isInteger(minor) || Math.abs(minor) > MAX_AMOUNT_MINOR)
    throw new RangeError(`${minor} is not an amount in minor units of ${currency}.`);
  const digits = currencyDigits(currency);
  const text = String(Math.abs(minor)).padStart(digits + 1, '0');
  const cut = text.length - digits;
  return Math.sign(minor) * Number(`${text.slice(0, cut)}.${text.slice(cut)}`);
}

/**
 * Major units of a figure, such as a sum over many amounts or an estimate of years: one beyond the largest amount is shown
 * as that, since no answer can hold it exactly.
 */
export const figureInMajor = (minor: number, currency: string): number =>
  toMajor(Math.max(-MAX_AMOUNT_MINOR, Math.min(MAX_AMOUNT_MINOR, minor)), currency);

/**
 * Minor units for the ledger: 19.99 USD → 1999. Exact: it works on the number's shortest decimal form, as JSON wrote
 * it. Throws RangeError when the amount has more decimals than the currency, or is too large to be stored exactly.
 */
export function toMinor(major: number, currency: string): number {
  const digits = currencyDigits(currency);
  const [, sign = '', whole = '', fraction = ''] = /^(-?)(\d+)(?:\.(\d+))?$/.exec(String(major)) ?? [];
  if (whole === '' || fraction.length > digits)
    throw new RangeError(`${major} is not an amount of ${currency}, which has ${digits} decimals.`);
  const minor = Number(whole + fraction.padEnd(digits, '0'));
  if (minor > MAX_AMOUNT_MINOR) throw new RangeError(`${major} ${currency} is too large an amount.`);
  return sign === '-' && minor !== 0 ? -minor : minor;
}

/** An amount for people. Chosen: as "59.50 USD", the same for everyone. */
export const amountInWords = (amountMinor: number, currency: string): string =>
  `${toMajor(amountMinor, currency).toFixed(currencyDigits(currency))} ${currency}`;
