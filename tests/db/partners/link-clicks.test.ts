import { v7 } from 'uuid';
import { countByDay, countClick, insertLink } from '../../../db/partners/link/partner-link.writes';
import { execute, firstRow, rows } from '../../../db/sql/query';
import { inTransaction } from '../../../db/sql/transaction';
import { ownDatabase } from '../../support/servers/database';
import { make } from '../../support/builders/make';

const own = ownDatabase();
const AT = new Date('2026-03-01T12:00:00Z');
const LIMITS = { repeatMinutes: 30, perMinute: 1_000 };
const later = (minutes: number): Date => new Date(AT.getTime() + minutes * 60_000);

const code = 'ABCDEFGH';
let linkId = '';
let partnerCode = '';
beforeAll(async () => {
  const partner = await make.partner(own.db);
  partnerCode = partner.referralCode;
  linkId = v7();
  const link = {
    id: linkId,
    partnerId: partner.id,
    code,
    name: 'x',
    campaign: null,
    landingPath: '/',
    createdAt: AT,
  };
  await inTransaction(own.db, (tx) => insertLink(tx, link));
});
beforeEach(() => execute(own.db, 'DELETE FROM partner_link_clicks'));
beforeEach(() => execute(own.db, 'DELETE FROM partner_link_days'));

const click = (touchId: string, at: Date, limits = LIMITS) =>
  countClick(own.db, { touchId, code: partnerCode, link: code, at }, limits);
const clicks = async (): Promise<number> =>
  (await firstRow<{ n: number }>(
    own.db,
    `SELECT (SELECT count(*) FROM partner_link_clicks) + (SELECT coalesce(sum(clicks), 0) FROM partner_link_days) AS n`,
  ))!.n * 1;

test('a visitor’s clicks within 30 minutes of a counted one are one, also of twenty at once', async () => {
  const visitor = v7();
  await Promise.all(Array.from({ length: 20 }, () => click(visitor, AT)));
  await click(visitor, later(29.9));
  expect(await clicks()).toBe(1);
  await click(visitor, later(30));
  await click(v7(), AT);
  expect(await clicks()).toBe(3);
});

test('of one link only so many clicks a minute are counted', async () => {
  for (let n = 0; n < 8; n++) await click(v7(), AT, { ...LIMITS, perMinute: 5 });
  expect(await clicks()).toBe(5);
  await click(v7(), later(1), { ...LIMITS, perMinute: 5 });
  expect(await clicks()).toBe(6);
});

test('counted by day in batches, at once and interrupted, each click is counted once', async () => {
  for (let n = 0; n < 40; n++) await click(v7(), later(n * 60));
  const before = later(40 * 60 + 60);
  const interrupted = inTransaction(own.db, async (tx) => {
    await countByDay(tx, before, 10);
    throw new Error('killed');
  });
  await expect(interrupted).rejects.toThrow('killed');
  expect(await clicks()).toBe(40);
  const counted = await Promise.all(Array.from({ length: 6 }, () => countByDay(own.db, before, 10)));
  expect(counted.reduce((sum, one) => sum + one, 0)).toBeLessThanOrEqual(40);
  while ((await countByDay(own.db, before, 10)) > 0);
  expect(await rows(own.db, 'SELECT day, clicks FROM partner_link_days ORDER BY day')).toEqual([
    { day: '2026-03-01', clicks: 12 },
    { day: '2026-03-02', clicks: 24 },
    { day: '2026-03-03', clicks: 4 },
  ]);
  expect(await clicks()).toBe(40);
});

test('a click that still refuses a repetition is not counted by day yet', async () => {
  const visitor = v7();
  await click(visitor, AT);
  expect(await countByDay(own.db, later(20), 10)).toBe(0);
  await click(visitor, later(20));
  expect(await clicks()).toBe(1);
});
