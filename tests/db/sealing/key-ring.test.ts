import { randomBytes } from 'node:crypto';
import { SealingConfig } from '../../../db/sealing/config';
import { KeyRing, Unsealable, type SealingKey } from '../../../db/sealing/key-ring';

const key = (id: string): SealingKey => ({ id, key: randomBytes(32) });
const old = key('2026-01');
const current = key('2026-11');
const secret = Buffer.from('JBSWY3DPEHPK3PXP');

test('what was sealed opens for the same purpose, and shows nothing until then', () => {
  const ring = new KeyRing([current]);
  const sealed = ring.seal(secret, 'totp:ada');
  expect(ring.open(sealed, 'totp:ada')).toEqual(secret);
  expect(sealed.includes(secret)).toBe(false);
  expect(ring.seal(secret, 'totp:ada')).not.toEqual(sealed);
  expect(ring.open(ring.seal(Buffer.alloc(0), 'empty'), 'empty')).toHaveLength(0);
});

test('it opens for no other purpose', () => {
  const ring = new KeyRing([current]);
  expect(() => ring.open(ring.seal(secret, 'totp:ada'), 'totp:eve')).toThrow(Unsealable);
});

test('no byte of it can be changed, none be missing', () => {
  const ring = new KeyRing([current]);
  const sealed = ring.seal(secret, 'totp:ada');
  for (let at = 0; at < sealed.length; at++) {
    const changed = Buffer.from(sealed);
    changed[at]! ^= 1;
    expect(() => ring.open(changed, 'totp:ada')).toThrow(Unsealable);
    expect(() => ring.open(sealed.subarray(0, at), 'totp:ada')).toThrow(Unsealable);
  }
});

test('after a change of keys the old one still opens, and the new one seals', () => {
  const sealed = new KeyRing([old]).seal(secret, 'totp:ada');
  const ring = new KeyRing([current, old]);
  expect(ring.open(sealed, 'totp:ada')).toEqual(secret);
  expect(new KeyRing([current]).open(ring.seal(secret, 'totp:ada'), 'totp:ada')).toEqual(secret);
});

test('a key that was taken off the ring opens nothing', () => {
  const sealed = new KeyRing([old]).seal(secret, 'totp:ada');
  expect(() => new KeyRing([current]).open(sealed, 'totp:ada')).toThrow('not on the ring');
});

test('a fingerprint is the same for the same bytes, purpose and key, and else another', () => {
  const ring = new KeyRing([current, old]);
  const usual = ring.fingerprint(secret, 'body');
  expect(usual).toMatch(/^[0-9a-f]{64}$/);
  expect(new KeyRing([current]).fingerprint(secret, 'body')).toBe(usual);
  const others = [
    ring.fingerprint(Buffer.from('another'), 'body'),
    ring.fingerprint(secret, 'another'),
    new KeyRing([old]).fingerprint(secret, 'body'),
  ];
  for (const other of others) expect(other).not.toBe(usual);
});

describe('the configuration', () => {
  const text = (key: SealingKey): string => `${key.id}:${key.key.toString('base64')}`;

  test('names keys, the first of which seals', () => {
    const { SEALING_KEYS: ring } = SealingConfig.parse({ SEALING_KEYS: `${text(current)}, ${text(old)}` });
    expect(new KeyRing([current]).open(ring.seal(secret, 'x'), 'x')).toEqual(secret);
  });

  test.each(['', 'nonsense', 'short:AAAA', `${text(old)},`, ':' + text(old)])('is not %p', (keys) => {
    expect(() => SealingConfig.parse({ SEALING_KEYS: keys })).toThrow('SEALING_KEYS');
  });

  test('refuses two keys of one name', () => {
    expect(() => new KeyRing([old, { ...current, id: old.id }])).toThrow('same name');
  });
});
