import { addRows, isEmpty } from './rows';
import type { SeedStep } from './step';

/** Standard VAT of the member states of the European Union, in percent, as of August 2025. */
const EU_VAT: Readonly<Record<string, number>> = {
  ...{
    AT: 20,
    BE: 21,
    BG: 20,
    CY: 19,
    CZ: 21,
    DE: 19,
    DK: 25,
    EE: 24,
    ES: 21,
    FI: 25.5,
    FR: 20,
    GR: 24,
    HR: 25,
  },
  ...{
    HU: 27,
    IE: 23,
    IT: 22,
    LT: 21,
    LU: 17,
    LV: 21,
    MT: 18,
    NL: 21,
    PL: 23,
    PT: 23,
    RO: 21,
    SE: 25,
    SI: 22,
  },
  SK: 23,
};

export const EU_COUNTRIES = Object.keys(EU_VAT);

export const taxRates: SeedStep = {
  title: 'tax rates',
  isMissing: (tx) => isEmpty(tx, 'tax_rates'),
  add: (tx) =>
    addRows(
      tx,
      'tax_rates',
      Object.entries(EU_VAT).map(([country, percent]) => ({ country, rate_bp: percent * 100 })),
    ),
};
