import { base32, inGroups } from '../../../../api/http/auth/base32';
import { TotpService } from '../../../../api/http/auth/totp';

/** The secret and the moments of RFC 6238, appendix B; codes are its last six digits. */
const secret = Buffer.from('12345678901234567890');
const vectors: [seconds: number, code: string][] = [
  [59, '287082'],
  [1_111_111_109, '081804'],
  [1_111_111_111, '050471'],
  [1_234_567_890, '005924'],
  [2_000_000_000, '279037'],
  [20_000_000_000, '353130'],
];

const at = (seconds: number) => new TotpService('Shop & Co', () => seconds * 1000);

test.each(vectors)('at %i s the code of RFC 6238 is %s', (seconds, code) => {
  expect(at(seconds).stepOf(secret, code)).toBe(Math.floor(seconds / 30));
});

test('a code is good a step early and a step late, and no longer; its step is its own', () => {
  const steps = [-60, -30, 0, 30, 60].map((shift) => at(1_234_567_890 + shift).stepOf(secret, '005924'));
  const own = Math.floor(1_234_567_890 / 30);
  expect(steps).toEqual([null, own, own, own, null]);
});

test.each(['', '5924', '05924', '0005924', ' 005924', '005924 ', '+05924', '5924.0', '00592４', '005924\n'])(
  '%j is no code, whatever a library would read off it',
  (code) => {
    expect(at(1_234_567_890).stepOf(secret, code)).toBeNull();
  },
);

test('a secret that was lost yields no codes', () => {
  expect(() => at(59).stepOf(Buffer.alloc(0), '287082')).toThrow('A secret has 20 bytes.');
});

test('secrets have 160 random bits', () => {
  const secrets = Array.from({ length: 100 }, () => at(0).newSecret().toString('hex'));
  expect(new Set(secrets).size).toBe(100);
  expect(secrets.every((hex) => hex.length === 40)).toBe(true);
});

test('the address of a secret names issuer and account, and what makes the codes', () => {
  const uri = new URL(at(0).uri(secret, 'ada+1@example.com'));
  expect(`${uri.protocol}//${uri.host}`).toBe('otpauth://totp');
  expect(decodeURIComponent(uri.pathname)).toBe('/Shop & Co:ada+1@example.com');
  expect(Object.fromEntries(uri.searchParams)).toEqual({
    secret: 'GEZDGNBVGY3TQOJQGEZDGNBVGY3TQOJQ',
    issuer: 'Shop & Co',
    algorithm: 'SHA1',
    digits: '6',
    period: '30',
  });
});

test.each([
  ['', ''],
  ['fooba', 'MZXW6YTB'],
  ['foobafooba', 'MZXW6YTBMZXW6YTB'],
])('base32 of %j is %j', (text, expected) => {
  expect(base32(Buffer.from(text))).toBe(expected);
});

test('long keys are shown in groups', () => {
  expect(inGroups('ABCDEFGHIJ', 4, ' ')).toBe('ABCD EFGH IJ');
});
