import { isPostalCode } from '../../../../workflows/commerce/shipping/postal-code.rules';

/** Countries whose form is checked: codes of it, and what is none. */
const FORMS: readonly [countries: string, codes: string[], others: string[]][] = [
  ['AT BE BG CH CY DK HU LU LV NO SI', ['1010'], ['101', '10100', '1O10', 'A1010', '1010B']],
  ['DE EE ES FI FR HR IT LT', ['10115'], ['1011', '101155', 'ABCDE', 'A10115', '10115B']],
  ['CZ GR SE SK', ['11000', '110 00'], ['1100', '110  00', 'A110 00', '110 00B', '1 1000', 'ABC DE']],
  [
    'CA',
    ['K1A 0B1', 'k1a0b1'],
    ['K1A 0B', 'K1A 0B12', '1K1A 0B1', 'KAA 0B1', 'K11 0B1', 'K1A AB1', 'K1A 001', 'K1A 0BB', '11A 0B1'],
  ],
  [
    'GB',
    ['SW1A 1AA', 'M1 1AE', 'B33 8TH', 'EC1A1BB'],
    [
      'SW1A',
      'SWA1 1AA1',
      '1SW1A 1AA',
      'SWX 1AA',
      'ABC1 1AA',
      'SW1A AAA',
      'SW1A 11A',
      'SW1AB 1AA',
      'SW1A 1AAA',
    ],
  ],
  [
    'IE',
    ['D02 AF30', 'D6W XY12', 'a65f4e2'],
    ['D02', 'D02 AF3', 'D02 AF301', '102 AF30', 'DA2 AF30', 'D0X AF30', '1D02 AF30', 'D02 AF-0'],
  ],
  [
    'MT',
    ['VLT 1117', 'VLT1117'],
    ['VL 1117', 'VLTA 1117', 'VLT 111', 'VLT 11171', '123 1117', 'VLT ABCD', '1VLT 1117'],
  ],
  ['NL', ['1012 AB', '1012ab'], ['1012', '1012 A', '1012 ABC', '101 AB', '1012 12', 'A1012 AB', 'ABCD AB']],
  ['PL', ['00-950', '00950'], ['0-950', '00-95', '00-9501', '000-950', 'AA-950', '00-AAA', 'A00-950']],
  [
    'PT',
    ['1000-001', '1000001'],
    ['1000', '1000-01', '1000-0011', '100-001', 'AAAA-001', '1000-AAA', 'A1000-001'],
  ],
  ['RO', ['010011'], ['01001', '0100111', 'AAAAAA', 'A010011', '010011A']],
  [
    'US',
    ['94105', '94105-1234'],
    ['9410', '94105-123', '94105-12345', '94105 1234', 'ABCDE', 'A94105', '94105-ABCD'],
  ],
  ['JP ZZ', ['100-0001', 'A', '1', 'AB 12', '0123456789'], ['', '100;0001', '01234567890', '-1', '1-', ' ']],
];

describe.each(FORMS)('%s', (countries, codes, others) => {
  test.each(countries.split(' '))(
    '%s knows its codes, with its prefix or without, and no others',
    (country) => {
      for (const code of codes)
        for (const written of [code, ` ${code} `, `${country}-${code}`, code.toLowerCase()])
          expect([written, isPostalCode(country, written)]).toEqual([written, true]);
      for (const code of others) expect([code, isPostalCode(country, code)]).toEqual([code, false]);
    },
  );
});

test('the prefix of another country is none', () => {
  expect(isPostalCode('DE', 'AT-10115')).toBe(false);
});
