import fc from 'fast-check';
import { ApiConfig, refuseDemoSecrets } from '../../../api/config';
import { clientNetwork } from '../../../api/http/request/client-address';
import { country, flag, isoDate, money, moneyText } from '../../../api/http/request/fields';
import { TrustedProxies } from '../../../api/http/request/proxies';

describe('TRUST_PROXY', () => {
  it.each([
    [undefined, false],
    ['', false],
    ['0', false],
    ['1', 1],
    ['8', 8],
    ['loopback', ['loopback']],
    ['10.0.0.0/8, 192.0.2.1', ['10.0.0.0/8', '192.0.2.1']],
    ['2001:db8::/32', ['2001:db8::/32']],
  ])('may be %p', (text, meaning) => {
    expect(TrustedProxies.parse(text)).toEqual(meaning);
  });

  it.each([
    'true',
    'TRUE',
    'yes',
    '-1',
    '9',
    '1.5',
    '0.0.0.0/0',
    '::/0',
    '10.0.0.0/33',
    '10.0.0/8',
    'proxy.example',
    '1, 2',
  ])('may not be %p', (text) => {
    expect(TrustedProxies.safeParse(text).success).toBe(false);
  });
});

describe('the configuration', () => {
  const settings = ApiConfig.pick({
    CORS_ORIGINS: true,
    RATE_LIMIT_SCALE: true,
    PORT: true,
    PUBLIC_URL: true,
  });

  it('has a default for every setting but secrets', () => {
    expect(settings.parse({})).toEqual({
      CORS_ORIGINS: [],
      RATE_LIMIT_SCALE: 1,
      PORT: 3000,
      PUBLIC_URL: 'http://localhost:3000',
    });
  });

  it.each([
    { CORS_ORIGINS: '*' },
    { CORS_ORIGINS: 'https://a.example/' },
    { CORS_ORIGINS: 'https://a.example/path' },
    { CORS_ORIGINS: 'a.example' },
    { RATE_LIMIT_SCALE: '0' },
    { RATE_LIMIT_SCALE: '-1' },
    { PORT: '70000' },
    { PUBLIC_URL: 'ftp://a.example' },
  ])('is refused with %p', (wrong) => {
    expect(settings.safeParse(wrong).success).toBe(false);
  });

  it('refuses demo secrets in production', () => {
    const demo = {
      JWT_KEYS: '[{"kid": "demo-1"}]',
      SANDBOX_SECRET: 'demo-sandbox',
    };
    expect(() => refuseDemoSecrets({ NODE_ENV: 'production', ...demo })).toThrow(
      'Production takes no demo secrets: JWT_KEYS, SANDBOX_SECRET.',
    );
    expect(() =>
      refuseDemoSecrets({ NODE_ENV: 'production', JWT_KEYS: '[{"kid":"a-demo-"}]' }),
    ).not.toThrow();
    expect(() => refuseDemoSecrets({ NODE_ENV: 'development', ...demo })).not.toThrow();
  });
});

describe('a client’s network', () => {
  it.each([
    ['192.0.2.1', '192.0.2.1'],
    ['2001:db8::1', '2001:db8:0:0::/64'],
    ['2001:DB8:1:2:3:4:5:6', '2001:db8:1:2::/64'],
    ['::1', '0:0:0:0::/64'],
    ['::', '0:0:0:0::/64'],
    ['1:2:3::', '1:2:3:0::/64'],
    ['1::2:3:4:5:6:7', '1:0:2:3::/64'],
    ['64:ff9b::192.0.2.1', '64:ff9b:0:0::/64'],
    ['unknown', 'unknown'],
  ])('of %s is %s', (address, network) => {
    expect(clientNetwork(address)).toBe(network);
  });
});

describe('fields', () => {
  const takes = (schema: { safeParse: (value: unknown) => { success: boolean } }, value: unknown) =>
    schema.safeParse(value).success;

  it('take money in whole cents', () => {
    fc.assert(
      fc.property(fc.integer({ min: 0, max: 100_000_000_000 }), (cents) => {
        expect(takes(money(), cents / 100)).toBe(true);
        expect(takes(moneyText(), (cents / 100).toFixed(2))).toBe(true);
      }),
    );
    for (const wrong of [0.001, 1e21, 1_000_000_000.01, -0.01, NaN, Infinity, '1'])
      expect(takes(money(), wrong)).toBe(false);
    for (const wrong of ['', '1e3', '-1', '.5', '1.', '1.234', '99999999999'])
      expect(takes(moneyText(), wrong)).toBe(false);
  });

  it('parse countries, flags and timestamps', () => {
    for (const right of ['DE', 'US', 'JP']) expect(takes(country(), right)).toBe(true);
    for (const wrong of ['de', 'USA', 'XX', '', '__proto__', 'constructor'])
      expect(takes(country(), wrong)).toBe(false);
    expect([flag().parse('true'), flag().parse('false')]).toEqual([true, false]);
    for (const wrong of ['', 'yes', 'null']) expect(takes(flag(), wrong)).toBe(false);
    for (const right of ['2026-11-21', '2026-11-21T10:00:00Z', '2026-11-21T10:00:00.5+02:00'])
      expect(takes(isoDate(), right)).toBe(true);
    for (const wrong of ['2026-02-30', '21.11.2026', '2026-11-21T10:00:00', '', '2026'])
      expect(takes(isoDate(), wrong)).toBe(false);
  });
});
