/** Codes of one country, without its prefix; spaces where people write or leave them. */
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

/** What codes look like anywhere in the world. */
const SOME_CODE = /^[A-Z\d]([A-Z\d -]{0,8}[A-Z\d])?$/;

/**
 * Whether a postal code can be one of this country (ISO 3166-1 alpha-2). Chosen: its form is checked for the countries
 * we know best, anything code-like is taken for the rest; `LV-1010` and `1010` are the same.
 */
export function isPostalCode(country: string, postalCode: string): boolean {
  const code = postalCode.trim().toUpperCase();
  const bare = code.startsWith(`${country}-`) ? code.slice(country.length + 1) : code;
  return (FORMS.get(country) ?? SOME_CODE).test(bare);
}
