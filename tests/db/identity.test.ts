import { randomBytes, randomUUID } from 'node:crypto';
import { eraseAccount } from '../../db/identity/account-deletion/erasure.transitions';
import { keepSignIn, takeSignIn } from '../../db/identity/external-account/external-sign-in.writes';
import { brokenInvariants } from '../../db/invariants/broken.reads';
import { policyFrom, PolicyVariables } from '../../db/policy/config';
import { SealingConfig } from '../../db/sealing/config';
import { Unsealable } from '../../db/sealing/cipher';
import { KeyRing, type SealingKey } from '../../db/sealing/key-ring';
import { rows } from '../../db/sql/query';
import { inTransaction } from '../../db/sql/transaction';
import { make } from '../support/builders/make';
import { ownDatabase } from '../support/servers/database';

describe('external sign-in', () => {
  const own = ownDatabase();
  const pending = {
    ...{ provider: 'corporate', region: 'EU', nonce: 'n', codeVerifier: 'v' },
    ...{ referralCode: 'KX7RMQ4W', touchId: randomUUID() },
  };

  test('a sign-in is taken once, by one of several concurrent requests', async () => {
    const state = randomUUID();
    await keepSignIn(own.db, state, pending, 60);
    const taken = await Promise.all(
      Array.from({ length: 5 }, () => takeSignIn(own.db, state, pending.provider)),
    );
    expect(taken.filter((one) => one !== null)).toEqual([pending]);
    expect(await takeSignIn(own.db, state, pending.provider)).toBeNull();
  });

  test('it is of the provider that it was begun with, and of no other', async () => {
    const state = randomUUID();
    await keepSignIn(own.db, state, pending, 60);
    expect(await takeSignIn(own.db, state, 'another')).toBeNull();
    expect(await takeSignIn(own.db, state, pending.provider)).toEqual(pending);
  });
});

describe('reviews of an erased account', () => {
  const own = ownDatabase();

  const erase = (userId: string) => inTransaction(own.db, (tx) => eraseAccount(tx, userId, new Date()));
  const reviewsLeft = (ids: string[]) =>
    rows<{ id: string; status: string; helpfulCount: number }>(
      own.db,
      `SELECT id, status, helpful_count FROM reviews WHERE id = ANY($1::uuid[]) ORDER BY id`,
      [ids],
    );
  const broken = async () =>
    (await brokenInvariants(own.db)).filter(({ invariant }) => invariant.startsWith('review.'));

  test('published reviews of an erased author stay and count, unpublished ones are deleted', async () => {
    const [ada, bob] = [await make.user(own.db), await make.user(own.db)];
    const by = { userId: ada.id, helpfulTo: [bob.id] };
    const published = await make.review(own.db, { ...by, rating: 2 });
    const pending = await make.review(own.db, { userId: ada.id, status: 'PENDING' });
    const rejected = await make.review(own.db, { ...by, status: 'REJECTED' });
    await erase(ada.id);
    expect(await reviewsLeft([published.id, pending.id, rejected.id])).toEqual([
      { id: published.id, status: 'PUBLISHED', helpfulCount: 1 },
    ]);
    const [product] = await rows(own.db, 'SELECT ratings FROM products WHERE id = $1', [published.productId]);
    expect(product).toEqual({ ratings: [0, 1, 0, 0, 0] });
    expect(await broken()).toEqual([]);
  });

  test('their votes no longer count', async () => {
    const [ada, bob] = [await make.user(own.db), await make.user(own.db)];
    const both = await make.review(own.db, { helpfulTo: [ada.id, bob.id] });
    const hers = await make.review(own.db, { helpfulTo: [ada.id], status: 'REJECTED' });
    const his = await make.review(own.db, { helpfulTo: [bob.id] });
    await erase(ada.id);
    const counts = (await reviewsLeft([both.id, hers.id, his.id])).map(({ helpfulCount }) => helpfulCount);
    expect(counts).toEqual([1, 0, 1]);
    expect(await rows(own.db, 'SELECT 1 FROM review_votes WHERE user_id = $1', [ada.id])).toEqual([]);
    expect(await broken()).toEqual([]);
  });

  test('ten voters for the same reviews are erased at once', async () => {
    const people = await Promise.all(Array.from({ length: 10 }, () => make.user(own.db)));
    const helpfulTo = people.map(({ id }) => id);
    const reviews = await Promise.all([1, 2, 3, 4].map(() => make.review(own.db, { helpfulTo })));
    await Promise.all(helpfulTo.map(erase));
    const counts = (await reviewsLeft(reviews.map(({ id }) => id))).map(({ helpfulCount }) => helpfulCount);
    expect(counts).toEqual([0, 0, 0, 0]);
    expect(await broken()).toEqual([]);
  });
});

describe('the key ring', () => {
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
});

describe('policyFrom', () => {
  test('defaults are those of the decisions', () => {
    expect(policyFrom({})).toMatchObject({
      cardWindowMinutes: 30,
      transferWindowHours: 72,
      refundWindowDays: 14,
    });
  });

  test('a variable that is set wins, an empty one says nothing', () => {
    const policy = policyFrom({ POLICY_REFUND_WINDOW_DAYS: '30', POLICY_CART_DAYS: '' });
    expect(policy.refundWindowDays).toBe(30);
    expect(policy.cartDays).toBe(90);
  });

  test.each(['0', '-1', '1.5', 'soon', '999999999999'])('%s is refused, with the variable named', (value) => {
    const others = [
      'PARTNER_ENTRANCE_FEE',
      'POLICY_PAYOUT_FOUR_EYES',
      'POLICY_SANDBOX_FEE_BP',
      'POLICY_RECONCILIATION_STOPS_PAYOUTS',
    ];
    for (const name of Object.keys(PolicyVariables.shape).filter((name) => !others.includes(name)))
      expect(() => policyFrom({ [name]: value })).toThrow(name);
  });

  test.each(['-1', '1.555', 'soon', '9999999'])('%s is refused as an amount', (value) => {
    expect(() => policyFrom({ PARTNER_ENTRANCE_FEE: value })).toThrow('PARTNER_ENTRANCE_FEE');
  });

  test.each([
    ['0', 0],
    ['49.9', 49.9],
  ])('%s is an amount', (value, partnerEntranceFee) => {
    expect(policyFrom({ PARTNER_ENTRANCE_FEE: value })).toMatchObject({ partnerEntranceFee });
  });
});
