/** The postal codes of a country, without its prefix; a space that people may leave out is optional. */
const FORMS: ReadonlyMap<string, RegExp> = new Map([
  ...['AT', 'BE', 'BG', 'CH', 'CY', 'DK', 'HU', 'LU', 'LV', 'NO', 'SI'].map(
    (code) => [code, /^\d{4}$/] as const,
  ),
  ...['DE', 'EE', 'ES', 'FI', 'FR', 'HR', 'IT', 'LT'].map((code) => [code, /^\d{5}$/] as const),
  ...['CZ', 'GR', 'SE', 'SK'].map((code) => [code, /^\d{3} ?\d{2}$/] as const),
  ['CA', /^[A-Z]\d[A-Z] ?\d[A-Z]\d$/],
  ['GB', /^[A-Z]{1,2}\d[A-Z\d]? ?\d[A-Z]{2}$/],
  ['IE', /^[A-Z]\d[\dW] ?[A-Z\d]{4}$/],
  ['MT', /^[A-Z]{3} ?\d{4}$/],
  ['NL', /^\d{4} ?[A-Z]{2}$/],
  ['PL', /^\d{2}-?\d{3}$/],
  ['PT', /^\d{4}-?\d{3}$/],
  ['RO', /^\d{6}$/],
  ['US', /^\d{5}(-\d{4})?$/],
]);

/** A pattern that fits the postal codes of every country. */
const SOME_CODE = /^[A-Z\d]([A-Z\d -]{0,8}[A-Z\d])?$/;

/**
 * True for a possible postal code of a country (ISO 3166-1 alpha-2). Chosen: countries in `FORMS` have a form of their
 * own, the others accept any form; `LV-1010` and `1010` are the same.
 */
export function isPostalCode(country: string, postalCode: string): boolean {
  const code = postalCode.trim().toUpperCase();
  const bare = code.startsWith(`${country}-`) ? code.slice(country.length + 1) : code;
  return (FORMS.get(country) ?? SOME_CODE).test(bare);
}
