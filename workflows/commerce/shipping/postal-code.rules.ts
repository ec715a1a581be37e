/** The postal codes of a country, without its prefix; a space that people may leave out is optional. */
const FORMS: ReadonlyMap<string, RegExp> = new Map([
  ...['AT', 'BE', 'BG', 'CH', 'CY', 'DK', 'HU', 'LU', 'LV', 'NO', 'SI'].map(
    (code) => [code, /^\d{4}$/] as const,
  ),
  ...['DE', 'EE', 'ES', 'FI', 'FR', 'HR', 'IT', 'LT'].map((code) => [code, /^\d{5}$/] as const),
  ...['CZ', 'GR', 'SE', 'SK'].map((code) => [code, /^\d{3} ?\d{2}$/] as const),
  ['CA', /^[A-Z]\d[A-Z] ?\d[A-Z]\d$/],
  // The forces' post offices have numbers of their own.
  ['GB', /^(?:[A-Z]{1,2}\d[A-Z\d]? ?\d[A-Z]{2}|BFPO ?\d{1,4})$/],
  ['IE', /^[A-Z]\d[\dW] ?[A-Z\d]{4}$/],
  ['MT', /^[A-Z]{3} ?\d{4}$/],
  ['NL', /^\d{4} ?[A-Z]{2}$/],
  ['PL', /^\d{2}-?\d{3}$/],
  ['PT', /^\d{4}-?\d{3}$/],
  ['RO', /^\d{6}$/],
  ['US', /^\d{5}(-\d{4})?$/],
]);

/** The distinguishing sign of vehicles, by which people write the country before the code, as in L-1234. */
const SIGNS: ReadonlyMap<string, string> = new Map([
  ...[
    'AT A',
    'BE B',
    'DE D',
    'ES E',
    'FI FIN',
    'FR F',
    'HU H',
    'IT I',
    'LU L',
    'MT M',
    'NO N',
    'PT P',
    'SE S',
    'SI SLO',
  ].map((pair): [string, string] => [pair.slice(0, 2), pair.slice(3)]),
]);

/** Countries without postal codes (Universal Postal Union, addressing systems; libaddressinput of Google). */
const WITHOUT: ReadonlySet<string> = new Set(
  (
    'AE AG AO AW BF BI BJ BO BQ BS BW BZ CD CF CG CI CK CM CW DJ DM ER FJ GA GD GH GM GQ GY HK JM KI KM KN KP LC ML MO MR ' +
    'MS MW NA NR NU PA QA RW SB SC SL SO SR ST SX SY TD TG TK TL TO TT TV UG VU WS YE ZW'
  ).split(' '),
);

/** A pattern that fits the postal codes of every country. */
const SOME_CODE = /^[A-Z\d]([A-Z\d -]{0,8}[A-Z\d])?$/;

/**
 * True for a possible postal code of a country (ISO 3166-1 alpha-2), among them '' where it has none. Chosen: countries in
 * `FORMS` have a form of their own, the others accept any form; `LV-1010` and `1010` are the same, as are `L-1234` and
 * `1234`.
 */
export function isPostalCode(country: string, postalCode: string): boolean {
  const code = asPostalCode(postalCode).toUpperCase();
  if (code === '') return WITHOUT.has(country);
  const prefix = [country, SIGNS.get(country)].find(
    (sign) => sign !== undefined && code.startsWith(`${sign}-`),
  );
  const bare = prefix === undefined ? code : code.slice(prefix.length + 1);
  return (FORMS.get(country) ?? SOME_CODE).test(bare);
}

/** A postal code as it is stored: NFKC, since keyboards of some scripts write full-width digits; trimmed. */
export const asPostalCode = (typed: string): string =>
  typed
    .normalize('NFKC')
    .replace(/\p{Pd}/gu, '-')
    .trim();
