import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { getAlpha2Codes } from 'i18n-iso-countries';
import { ApiConfig } from '../../../../api/config';
import { regionOfCountry } from '../../../../api/http/auth/continents';
import { nowhere, openGeo } from '../../../../api/http/geo/geo';
import { testVariables } from '../../../support/worlds/variables';
import { addressFile } from './address-file';

let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'geo-'));
});
afterAll(() => rm(folder, { recursive: true, force: true }));

async function fileOf(content: Buffer | string): Promise<string> {
  const file = join(folder, `${Math.random()}.mmdb`);
  await writeFile(file, content);
  return file;
}

describe('the file that comes with the platform', () => {
  const geo = openGeo(undefined);

  test.each([
    ['8.8.8.8', 'US'],
    ['133.11.0.1', 'JP'],
    ['193.99.144.80', 'DE'],
    ['2a02:2e0:3fe:1001::1', 'DE'],
  ])('knows the country of %s: %s', (address, country) => {
    expect(geo.locate(address)).toEqual({ country, city: null });
  });

  test.each(['203.0.113.7', '2001:db8::1', '240.0.0.1', 'unknown', '', '8.8.8', '8.8.8.8:80'])(
    'knows nothing of %j',
    (address) => {
      expect(geo.locate(address)).toBeNull();
    },
  );
});

describe('a file by configuration', () => {
  test('in MaxMind’s format may have the city too', async () => {
    const geo = openGeo(
      await fileOf(
        addressFile({ country: { iso_code: 'FR' }, city: { names: { de: 'Paris', en: 'Paris' } } }),
      ),
    );
    expect(geo.locate('8.8.8.8')).toEqual({ country: 'FR', city: 'Paris' });
    expect(geo.locate('200.0.0.1')).toBeNull();
    expect(geo.locate('2a02:2e0:3fe:1001::1')).toBeNull();
  });

  test.each([
    [{ country: { iso_code: 'FR' } }, { country: 'FR', city: null }],
    [
      { country_code: 'FR', city: 'Lyon' },
      { country: 'FR', city: 'Lyon' },
    ],
    [{ country_code: 'None' }, null],
    [{ continent: { code: 'EU' } }, null],
    ['FR', null],
  ])('that says %j means %j', async (said, place) => {
    expect(openGeo(await fileOf(addressFile(said))).locate('8.8.8.8')).toEqual(place);
  });

  test.each([
    '0.0.0.0',
    '10.1.2.3',
    '100.64.0.1',
    '127.0.0.1',
    '169.254.1.1',
    '172.16.0.1',
    '172.31.255.255',
    '192.168.1.1',
    '::',
    '::1',
    '::ffff:10.0.0.1',
    'fc00::1',
    'fdff::1',
    'fe80::1',
  ])('is not asked about %s, which is private', async (address) => {
    expect(openGeo(await fileOf(addressFile({ country_code: 'FR' }))).locate(address)).toBeNull();
  });
});

describe('the configuration', () => {
  const parse = (file: string) => ApiConfig.parse({ ...testVariables, GEOIP_FILE: file });

  test('uses the platform’s file if none is named', () => {
    expect(parse('').GEOIP_FILE.locate('8.8.8.8')).toEqual({ country: 'US', city: null });
    expect(ApiConfig.parse(testVariables).GEOIP_FILE.locate('8.8.8.8')?.country).toBe('US');
  });

  test('refuses a file that is missing, and names it', () => {
    expect(() => parse('/nowhere/places.mmdb')).toThrow(/nowhere.places\.mmdb cannot be read[^]*GEOIP_FILE/);
  });

  test('refuses a file that is damaged, and names it', async () => {
    const whole = addressFile({ country_code: 'FR' });
    for (const content of [whole.subarray(0, 40), '', 'not a database', Buffer.alloc(5_000, 7)]) {
      const file = await fileOf(content);
      expect(() => parse(file)).toThrow(file);
    }
  });
});

describe('the region of a country', () => {
  test.each([
    ['EU', 'DE GB RU TR IL AE EG ZA NG IS CY AQ'],
    ['US', 'US CA MX BR AR JM GL PR CO'],
    ['APAC', 'CN JP IN AU NZ SG KZ PK FJ ID TW GU'],
  ])('is %s for %s', (region, countries) => {
    for (const country of countries.split(' '))
      expect([country, regionOfCountry(country)]).toEqual([country, region]);
  });

  test('is not EU for the listed number of countries', () => {
    const servedBy = Object.keys(getAlpha2Codes()).map(regionOfCountry);
    expect(servedBy.filter((region) => region === 'US')).toHaveLength(55);
    expect(servedBy.filter((region) => region === 'APAC')).toHaveLength(62);
  });
});

test('without a file no address has a location', () => {
  expect(nowhere.locate('8.8.8.8')).toBeNull();
});
