import fc from 'fast-check';
import { trackingUrlOf } from '../../../../workflows/commerce/shipment/tracking.rules';
import { isPostalCode } from '../../../../workflows/commerce/shipping/postal-code.rules';
import {
  type Zone,
  zoneContradictions,
  type ZoneInput,
} from '../../../../workflows/commerce/shipping/shipping-zone.rules';
import {
  deliveryDays,
  packed,
  shippingPrice,
  weightOf,
} from '../../../../workflows/commerce/shipping/shipping.rules';

describe('methods', () => {
  const tariff = { baseMinor: 499, perKgMinor: 150, freeThresholdMinor: 5000 };

  test('base price, and weight by the gram, rounded half up', () => {
    expect(shippingPrice(tariff, { weightGrams: 0, goodsMinor: 0 })).toBe(499);
    expect(shippingPrice(tariff, { weightGrams: 1000, goodsMinor: 0 })).toBe(649);
    expect(shippingPrice(tariff, { weightGrams: 3, goodsMinor: 0 })).toBe(499);
    expect(shippingPrice({ ...tariff, perKgMinor: 500 }, { weightGrams: 1, goodsMinor: 0 })).toBe(500);
  });

  test('free from the threshold on, never without one', () => {
    expect(shippingPrice(tariff, { weightGrams: 9000, goodsMinor: 4999 })).toBe(1849);
    expect(shippingPrice(tariff, { weightGrams: 9000, goodsMinor: 5000 })).toBe(0);
    expect(
      shippingPrice({ ...tariff, freeThresholdMinor: null }, { weightGrams: 0, goodsMinor: 1_000_000 }),
    ).toBe(499);
  });

  test('more weight never costs less', () => {
    const grams = fc.integer({ min: 0, max: 10_000_000 });
    fc.assert(
      fc.property(grams, grams, fc.integer({ min: 0, max: 1_000_000 }), (some, more, perKgMinor) => {
        const price = (weightGrams: number): number =>
          shippingPrice(
            { baseMinor: 100, perKgMinor, freeThresholdMinor: null },
            { weightGrams, goodsMinor: 0 },
          );
        expect(price(some + more)).toBeGreaterThanOrEqual(price(some));
      }),
    );
  });

  test('the weight is of all units; goods without a weight count as 0', () => {
    expect(
      weightOf([
        { weightGrams: 250, quantity: 3 },
        { weightGrams: null, quantity: 5 },
      ]),
    ).toBe(750);
  });

  test('a package is as long and wide as its longest and widest unit, and as high as all together', () => {
    const unit = { weightGrams: 100, lengthMm: 300, widthMm: 200, heightMm: 50, quantity: 3 };
    const long = { weightGrams: null, lengthMm: 900, widthMm: 20, heightMm: 20, quantity: 1 };
    const unmeasured = { weightGrams: 7, lengthMm: null, widthMm: null, heightMm: null, quantity: 9 };
    expect(packed([unit, long, unmeasured])).toEqual({
      ...{ weightGrams: 363, lengthMm: 900, widthMm: 200, heightMm: 170 },
    });
    expect(packed([])).toEqual({ weightGrams: 0, lengthMm: 0, widthMm: 0, heightMm: 0 });
  });

  test('more in a package never makes it lighter or smaller', () => {
    const size = fc.option(fc.integer({ min: 0, max: 5_000 }));
    const goods = fc.array(
      fc.record({
        ...{ weightGrams: size, lengthMm: size, widthMm: size, heightMm: size },
        quantity: fc.integer({ min: 1, max: 100 }),
      }),
    );
    fc.assert(
      fc.property(goods, goods, (some, more) => {
        const [small, large] = [packed(some), packed([...some, ...more])];
        for (const side of ['weightGrams', 'lengthMm', 'widthMm', 'heightMm'] as const)
          expect(large[side]).toBeGreaterThanOrEqual(small[side]);
      }),
    );
  });

  test('delivery days are counted over months and leap days, whatever the hour', () => {
    expect(deliveryDays(new Date('2028-02-27T23:59:59Z'), { minDays: 2, maxDays: 5 })).toEqual({
      min: '2028-02-29',
      max: '2028-03-03',
    });
    expect(deliveryDays(new Date('2026-12-31T00:00:00Z'), { minDays: 0, maxDays: 1 })).toEqual({
      min: '2026-12-31',
      max: '2027-01-01',
    });
  });
});

describe('zones', () => {
  const existing = [
    { name: 'EU', countries: ['DE', 'FR'] },
    { name: 'Alps', countries: ['CH'] },
  ];
  const fieldsOf = (...requested: ZoneInput[]): string[] =>
    Object.keys(zoneContradictions(requested, existing)).sort();

  test.each<[string, ZoneInput[], string[]]>([
    ['nowhere', [], []],
    ['an existing zone', [{ name: 'EU', countries: null }], []],
    ['another set of countries', [{ name: 'EU', countries: ['DE', 'AT'] }], []],
    ['a new zone', [{ name: 'North', countries: ['SE'] }], []],
    ['a new zone without countries', [{ name: 'North', countries: null }], ['zones.0.countries']],
    [
      'one zone twice',
      [
        { name: 'EU', countries: null },
        { name: 'EU', countries: null },
      ],
      ['zones.1.name'],
    ],
    ['a country of another zone', [{ name: 'Alps', countries: ['CH', 'FR'] }], ['zones.0.countries']],
    [
      'a country of a zone that is named without a change',
      [
        { name: 'Alps', countries: ['CH', 'FR'] },
        { name: 'EU', countries: null },
      ],
      ['zones.0.countries'],
    ],
    [
      'a country that moves',
      [
        { name: 'Alps', countries: ['CH', 'FR'] },
        { name: 'EU', countries: ['DE'] },
      ],
      [],
    ],
    [
      'a country in two new zones',
      [
        { name: 'A', countries: ['SE'] },
        { name: 'B', countries: ['SE'] },
      ],
      ['zones.0.countries', 'zones.1.countries'],
    ],
  ])('a method that goes to %s', (_case, requested, fields) => {
    expect(fieldsOf(...requested)).toEqual(fields);
  });

  test('each contradiction is said', () => {
    expect(zoneContradictions([{ name: 'North', countries: null }], existing)).toEqual({
      'zones.0.countries': ['is required for a new zone'],
    });
    expect(zoneContradictions([{ name: 'Alps', countries: ['CH', 'FR', 'DE'] }], existing)).toEqual({
      'zones.0.countries': ['FR is already in "EU"', 'DE is already in "EU"'],
    });
    const eu = { name: 'EU', countries: null };
    expect(zoneContradictions([eu, eu], existing)).toEqual({ 'zones.1.name': ['is repeated'] });
  });

  test('what has no contradiction leaves every country in one zone', () => {
    const countries = fc.uniqueArray(fc.constantFrom('AT', 'CH', 'DE', 'FR', 'SE'), { maxLength: 3 });
    const name = fc.constantFrom('A', 'B', 'C', 'D');
    const requests = fc.array(fc.record({ name, countries: fc.option(countries) }), { maxLength: 4 });
    const zones = fc
      .array(name, { maxLength: 4 })
      .chain((names) =>
        fc
          .shuffledSubarray(['AT', 'CH', 'DE', 'FR', 'SE'])
          .map((all) =>
            [...new Set(names)].map((each, i): Zone => ({ name: each, countries: all.slice(i, i + 1) })),
          ),
      );
    fc.assert(
      fc.property(requests, zones, (requested, before) => {
        fc.pre(Object.keys(zoneContradictions(requested, before)).length === 0);
        const after = new Map(before.map((zone) => [zone.name, zone.countries]));
        for (const zone of requested) if (zone.countries) after.set(zone.name, zone.countries);
        const all = [...after.values()].flat();
        expect(new Set(all).size).toBe(all.length);
      }),
    );
  });
});

describe('postal codes', () => {
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
    [
      'JP ZZ',
      ['100-0001', 'A', '1', 'AB 12', '0123456789'],
      ['', '100;0001', '01234567890', '-1', '1-', ' '],
    ],
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

  test('the forces, the signs of vehicles and full-width digits are known', () => {
    const known = {
      GB: ['BFPO 1', 'bfpo 5769'],
      LU: ['L-1234'],
      DE: ['D-10115'],
      JP: ['１００－０００１'],
      AT: ['A\u20131010'],
    };
    for (const [country, codes] of Object.entries(known))
      for (const code of codes) expect([code, isPostalCode(country, code)]).toEqual([code, true]);
    expect([isPostalCode('LU', 'D-1234'), isPostalCode('GB', 'BFPO')]).toEqual([false, false]);
  });

  test('a country without postal codes needs none, and any other one', () => {
    for (const country of ['HK', 'AE', 'QA', 'MO', 'PA']) expect(isPostalCode(country, '')).toBe(true);
    expect(isPostalCode('HK', '999077')).toBe(true);
    for (const country of ['DE', 'US', 'JP', 'BR']) expect(isPostalCode(country, '')).toBe(false);
  });

  test('the prefix of another country is none', () => {
    expect(isPostalCode('DE', 'AT-10115')).toBe(false);
  });
});

describe('tracking', () => {
  const template = 'https://post.example.com/track/{trackingNumber}?number={trackingNumber}';

  test('the carrier’s template takes the number, wherever it has a place for it', () => {
    expect(trackingUrlOf({ trackingUrl: null, trackingNumber: 'A1', template })).toBe(
      'https://post.example.com/track/A1?number=A1',
    );
  });

  test('a number is text and nothing else, in the address too', () => {
    const url = trackingUrlOf({ trackingUrl: null, trackingNumber: '../x?a=$&#', template });
    expect(url).toBe('https://post.example.com/track/..%2Fx%3Fa%3D%24%26%23?number=..%2Fx%3Fa%3D%24%26%23');
  });

  test('a URL set by an administrator overrides the template', () => {
    const trackingUrl = 'https://elsewhere.example.com/';
    expect(trackingUrlOf({ trackingUrl, trackingNumber: 'A1', template })).toBe(trackingUrl);
    expect(trackingUrlOf({ trackingUrl, trackingNumber: null, template: null })).toBe(trackingUrl);
  });

  test.each([
    ['a number', { trackingNumber: null, template }],
    ['a template', { trackingNumber: 'A1', template: null }],
  ])('without %s there is no page', (_, parcel) => {
    expect(trackingUrlOf({ trackingUrl: null, ...parcel })).toBeNull();
  });
});
