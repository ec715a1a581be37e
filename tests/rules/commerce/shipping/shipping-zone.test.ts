import fc from 'fast-check';
import {
  zoneContradictions,
  type Zone,
  type ZoneInput,
} from '../../../../workflows/commerce/shipping/shipping-zone.rules';

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
    'zones.0.countries': ['must be given, for there is no zone of this name yet'],
  });
  expect(zoneContradictions([{ name: 'Alps', countries: ['CH', 'FR', 'DE'] }], existing)).toEqual({
    'zones.0.countries': ['FR lies in "EU"', 'DE lies in "EU"'],
  });
  const eu = { name: 'EU', countries: null };
  expect(zoneContradictions([eu, eu], existing)).toEqual({ 'zones.1.name': ['is named twice'] });
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
