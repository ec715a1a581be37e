import { v7 } from 'uuid';
import { partnerByCode } from '../../../db/partners/membership/partner.reads';
import {
  convertTouch,
  keepFirstOrder,
  recordTouch as recordTouchFor,
  type Touch,
} from '../../../db/partners/link/referral-touch.writes';
import { insertLink } from '../../../db/partners/link/partner-link.writes';
import { execute, rows, type Db } from '../../../db/sql/query';
import { inTransaction } from '../../../db/sql/transaction';
import { ownDatabase } from '../../support/servers/database';
import { make } from '../../support/builders/make';

const own = ownDatabase();
beforeEach(() => execute(own.db, 'DELETE FROM referral_touches'));

const nothing = { source: null, medium: null, campaign: null };
const at = new Date('2026-03-01T10:00:00Z');
const after = (days: number): Date => new Date(at.getTime() + days * 86_400_000);

/** As it is under a policy that remembers a referral for 30 days. */
const recordTouch = (db: Db, touch: Touch) => recordTouchFor(db, touch, 30);

const touchBy = (code: string, more: Partial<Touch> = {}): Touch => ({
  linkId: null,
  code,
  link: null,
  utm: nothing,
  landingPage: '/api/v1/products',
  ipAddress: '203.0.113.7',
  userAgent: 'Browser',
  at,
  ...more,
});

const touches = () => rows<Record<string, unknown>>(own.db, 'SELECT * FROM referral_touches ORDER BY id');
const convert = (touchId: string, userId: string) =>
  inTransaction(own.db, (tx) => convertTouch(tx, touchId, userId, after(1)));

async function broughtBy(sponsorId: string | null): Promise<string> {
  const { id } = await make.user(own.db);
  await execute(own.db, 'UPDATE users SET sponsor_id = $2 WHERE id = $1', [id, sponsorId]);
  return id;
}

test('only an active partner is found by code', async () => {
  const { id, userId, referralCode } = await make.partner(own.db);
  expect(await partnerByCode(own.db, referralCode)).toEqual({ id, userId });
  expect(await partnerByCode(own.db, 'NOBODYS1')).toBeNull();
  for (const status of ['SUSPENDED', 'TERMINATED'] as const) {
    const { referralCode: code } = await make.partner(own.db, { status });
    expect(await partnerByCode(own.db, code)).toBeNull();
    expect(await recordTouch(own.db, touchBy(code))).toBeNull();
  }
  expect(await recordTouch(own.db, touchBy('NOBODYS1'))).toBeNull();
  expect(await touches()).toEqual([]);
});

test('a visitor who comes again keeps the first touch; another partner’s link counts from then on', async () => {
  const [first, second] = [await make.partner(own.db), await make.partner(own.db)];
  const utm = { source: 'news', medium: 'mail', campaign: 'spring' };
  const { id: linkId } = (await recordTouch(own.db, touchBy(first.referralCode, { utm })))!;
  const later = touchBy(second.referralCode, {
    ...{ linkId, at: after(2), landingPage: '/elsewhere' },
    utm: { ...nothing, source: 'blog' },
  });
  expect(await recordTouch(own.db, later)).toEqual({ id: linkId, firstTouchAt: at });
  expect(await touches()).toEqual([
    expect.objectContaining({
      ...{ id: linkId, partnerId: second.id, partnerCode: second.referralCode },
      ...{ firstPartnerCode: first.referralCode, firstTouchAt: at, lastTouchAt: after(2) },
      ...{ firstUtmSource: 'news', firstUtmMedium: 'mail', firstUtmCampaign: 'spring' },
      ...{ lastUtmSource: 'blog', lastUtmMedium: null, lastUtmCampaign: null },
      ...{ landingPage: '/api/v1/products', ipAddress: '203.0.113.7', userAgent: 'Browser' },
      ...{ convertedUserId: null, convertedAt: null },
    }),
  ]);
});

test('whose cookie went on to another partner is nobody else’s visitor, and keeps no link of the first', async () => {
  const [first, second] = [await make.partner(own.db), await make.partner(own.db)];
  const link = {
    id: v7(),
    partnerId: first.id,
    code: 'ABCDEFGH',
    name: 'x',
    campaign: null,
    landingPath: '/',
  };
  await inTransaction(own.db, (tx) => insertLink(tx, { ...link, createdAt: at }));
  const byLink = touchBy(first.referralCode, { link: link.code });
  const { id: cookie } = (await recordTouch(own.db, byLink))!;
  await recordTouch(own.db, touchBy(second.referralCode, { linkId: cookie }));
  const another = (await recordTouch(own.db, byLink))!;
  expect(another.id).not.toBe(cookie);
  expect(await touches()).toEqual([
    expect.objectContaining({ id: cookie, partnerId: second.id, partnerLinkId: null }),
    expect.objectContaining({ id: another.id, partnerId: first.id, partnerLinkId: link.id }),
  ]);
  const wrong = execute(own.db, 'UPDATE referral_touches SET partner_link_id = $1 WHERE id = $2', [
    link.id,
    cookie,
  ]);
  await expect(wrong).rejects.toThrow('referral_touches_partner_link_fkey');
});

test('an unknown or expired touch in the cookie begins a new one', async () => {
  const { referralCode } = await make.partner(own.db);
  const unknown = await recordTouch(own.db, touchBy(referralCode, { linkId: v7() }));
  const old = await recordTouch(own.db, touchBy(referralCode, { linkId: unknown!.id, at: after(31) }));
  expect(old).toEqual({ id: expect.not.stringContaining(unknown!.id), firstTouchAt: after(31) });
});

test('a program that keeps no cookies is one visitor a day, also with many requests at once', async () => {
  const { referralCode } = await make.partner(own.db);
  const many = await Promise.all(
    Array.from({ length: 20 }, () => recordTouch(own.db, touchBy(referralCode))),
  );
  expect(new Set(many.map((touch) => touch?.id)).size).toBe(1);
  await recordTouch(own.db, touchBy(referralCode, { userAgent: 'Another' }));
  await recordTouch(own.db, touchBy(referralCode, { ipAddress: '203.0.113.8' }));
  await recordTouch(own.db, touchBy(referralCode, { at: after(1) }));
  expect(await touches()).toHaveLength(4);
});

describe('a conversion', () => {
  test('names the account once, and is no visitor any more', async () => {
    const { id: sponsorId, referralCode } = await make.partner(own.db);
    const { id } = (await recordTouch(own.db, touchBy(referralCode)))!;
    const userId = await broughtBy(sponsorId);
    await convert(id, userId);
    await convert(id, userId);
    expect(await touches()).toEqual([
      expect.objectContaining({ id, convertedUserId: userId, convertedAt: after(1) }),
    ]);
    const next = await recordTouch(own.db, touchBy(referralCode, { linkId: id, at: after(2) }));
    expect(next!.id).not.toBe(id);
  });

  test('of two people with one browser gives each a touch', async () => {
    const { id: sponsorId, referralCode } = await make.partner(own.db);
    const { id } = (await recordTouch(own.db, touchBy(referralCode)))!;
    const both = [await broughtBy(sponsorId), await broughtBy(sponsorId)];
    for (const userId of both) await convert(id, userId);
    const kept = await touches();
    expect(kept.map(({ convertedUserId: userId }) => userId)).toEqual(both);
    expect(kept.map(({ firstTouchAt: first }) => first)).toEqual([at, at]);
  });

  test('belongs to the sponsor only', async () => {
    const { referralCode } = await make.partner(own.db);
    const other = await make.partner(own.db);
    const { id } = (await recordTouch(own.db, touchBy(referralCode)))!;
    await convert(id, await broughtBy(other.id));
    await convert(id, await broughtBy(null));
    await convert(v7(), await broughtBy(other.id));
    expect(await touches()).toEqual([expect.objectContaining({ convertedUserId: null })]);
  });

  test('keeps the earliest order, in whatever order they are counted, and of its own account only', async () => {
    const { id: sponsorId, referralCode } = await make.partner(own.db);
    const { id } = (await recordTouch(own.db, touchBy(referralCode)))!;
    const userId = await broughtBy(sponsorId);
    await convert(id, userId);
    const sold = (buyerId: string, days: number) =>
      inTransaction(own.db, (tx) => keepFirstOrder(tx, buyerId, after(days)));
    expect(await sold(await broughtBy(sponsorId), 2)).toBe(0);
    expect([await sold(userId, 5), await sold(userId, 3), await sold(userId, 4)]).toEqual([1, 1, 0]);
    expect(await touches()).toMatchObject([{ convertedUserId: userId, firstSaleAt: after(3) }]);
  });

  test('outlives an account that is deleted', async () => {
    const { id: sponsorId, referralCode } = await make.partner(own.db);
    const { id } = (await recordTouch(own.db, touchBy(referralCode)))!;
    const userId = await broughtBy(sponsorId);
    await convert(id, userId);
    await execute(own.db, 'DELETE FROM users WHERE id = $1', [userId]);
    expect(await touches()).toEqual([
      expect.objectContaining({ convertedUserId: null, convertedAt: after(1) }),
    ]);
  });
});

test('how long a touch is gone on with is policy', async () => {
  const { referralCode } = await make.partner(own.db);
  const { id } = (await recordTouchFor(own.db, touchBy(referralCode), 2))!;
  const again = (days: number) =>
    recordTouchFor(own.db, touchBy(referralCode, { linkId: id, at: after(days), userAgent: 'Another' }), 2);
  expect((await again(1))!.id).toBe(id);
  expect((await again(4))!.id).not.toBe(id);
});
