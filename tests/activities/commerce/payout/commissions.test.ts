import { adjustCommission } from '../../../../api/admin/commissions/adjust.command';
import { payCommissions } from '../../../../db/partners/commission/paid.transitions';
import { execute, rows, type Tx } from '../../../../db/sql/query';
import { inTransaction } from '../../../../db/sql/transaction';
import { make } from '../../../support/builders/make';
import {
  at,
  commissionsOf,
  payee,
  payoutSteps,
  processed,
  type Payee,
} from '../../../support/builders/paying-out/payees';
import { eventually } from '../../../support/checks/eventually';
import { violations } from '../../../support/checks/violations';
import { FakePayouts } from '../../../support/fakes/fake-payouts';
import { ownDatabase } from '../../../support/servers/database';

const own = ownDatabase();

afterEach(async () => {
  expect(await violations(own.db)).toEqual([]);
});

const DAY_MS = 86_400_000;
const ago = (days: number) => new Date(Date.now() - days * DAY_MS);

/** A partner with these commissions, a day apart, the oldest first. */
async function earning(...amounts: readonly number[]): Promise<Payee & { ids: string[] }> {
  const one = await payee(own.db, { availableMinor: 0 });
  const ids: string[] = [];
  for (const [n, grossMinor] of amounts.entries()) {
    const made = await make.commission(own.db, {
      ...{ partnerId: one.partnerId, grossMinor, status: 'APPROVED', at: ago(100 - n) },
    });
    ids.push(made.id);
  }
  return { ...one, ids };
}

/** A payout of this amount that has arrived. */
async function paidOut(one: Payee, amountMinor: number): Promise<void> {
  const steps = payoutSteps(own.db, new FakePayouts());
  const payoutId = await processed(own.db, steps, one, amountMinor);
  await steps.sendPayout({ payoutId, at: at() });
}

test('the oldest are paid, one that is covered in part stays, and the next payout goes on there', async () => {
  const one = await earning(30_00, 20_00, 50_00);
  await paidOut(one, 60_00);
  expect(await commissionsOf(own.db, one.partnerId)).toEqual(['PAID 3000', 'PAID 2000', 'APPROVED 5000']);
  await paidOut(one, 40_00);
  expect(await commissionsOf(own.db, one.partnerId)).toEqual(['PAID 3000', 'PAID 2000', 'PAID 5000']);
});

test('the oldest are those that were approved first, not those that were earned first', async () => {
  const one = await earning(30_00, 20_00);
  await execute(own.db, 'UPDATE partner_commissions SET processed_at = $2 WHERE id = $1', [
    one.ids[0],
    ago(2),
  ]);
  await execute(own.db, 'UPDATE partner_commissions SET processed_at = $2 WHERE id = $1', [
    one.ids[1],
    ago(3),
  ]);
  await paidOut(one, 20_00);
  expect(await commissionsOf(own.db, one.partnerId)).toEqual(['APPROVED 3000', 'PAID 2000']);
});

test('what takes back a part counts where it stands', async () => {
  const one = await earning(50_00, 30_00);
  await make.commission(own.db, {
    ...{
      partnerId: one.partnerId,
      reversalOf: one.ids[0]!,
      grossMinor: -20_00,
      status: 'APPROVED',
      at: ago(50),
    },
  });
  await paidOut(one, 30_00);
  // The first alone is more than the payout, and so are the first two.
  expect(await commissionsOf(own.db, one.partnerId)).toEqual([
    'APPROVED 5000',
    'APPROVED 3000',
    'APPROVED -2000',
  ]);
  await paidOut(one, 30_00);
  expect(await commissionsOf(own.db, one.partnerId)).toEqual(['PAID 5000', 'PAID 3000', 'PAID -2000']);
});

test('a refund after the payout: the next commissions make up for it before they are paid', async () => {
  const one = await earning(50_00);
  await paidOut(one, 50_00);
  await make.commission(own.db, {
    ...{
      partnerId: one.partnerId,
      reversalOf: one.ids[0]!,
      grossMinor: -20_00,
      status: 'APPROVED',
      at: ago(20),
    },
  });
  await make.commission(own.db, {
    partnerId: one.partnerId,
    grossMinor: 60_00,
    status: 'APPROVED',
    at: ago(10),
  });
  await paidOut(one, 40_00);
  expect(await commissionsOf(own.db, one.partnerId)).toEqual(['PAID 5000', 'PAID -2000', 'PAID 6000']);
});

test('those of other partners, and those that are not APPROVED, stay', async () => {
  const [one, other] = [await earning(40_00), await earning(40_00)];
  await make.commission(own.db, { partnerId: one.partnerId, status: 'HELD', at: ago(200), grossMinor: 5_00 });
  await make.commission(own.db, {
    partnerId: one.partnerId,
    status: 'PENDING',
    at: ago(190),
    grossMinor: 5_00,
  });
  await paidOut(one, 40_00);
  expect(await commissionsOf(own.db, one.partnerId)).toEqual(['HELD 500', 'PENDING 500', 'PAID 4000']);
  expect(await commissionsOf(own.db, other.partnerId)).toEqual(['APPROVED 4000']);
});

test('a payout of a wallet pays none', async () => {
  const one = await earning(40_00);
  await make.money(own.db, one.userId, 40_00);
  await paidOut({ ...one, kind: 'WALLET' }, 40_00);
  expect(await commissionsOf(own.db, one.partnerId)).toEqual(['APPROVED 4000']);
});

test('an adjustment at the same moment: either it is adjusted, or it is paid, and never more than was sent', async () => {
  for (let round = 0; round < 8; round++) {
    const one = await earning(20_00, 20_00);
    const admin = await make.admin(own.db);
    const steps = payoutSteps(own.db, new FakePayouts());
    const payoutId = await processed(own.db, steps, one, 40_00);
    const adjust = () =>
      adjustCommission(
        own.db,
        { id: one.ids[1]!, action: 'ADJUST_AMOUNT', newAmount: 35, reason: 'Wrong.' },
        { actorId: admin.id, clientAddress: '' },
      );
    const complete = () => steps.sendPayout({ payoutId, at: at() });
    const [, adjusted] = await Promise.allSettled(
      round % 2 === 0 ? [complete(), adjust()] : [adjust(), complete()].reverse(),
    );
    expect(adjusted).toBeDefined();
    expect(await commissionsOf(own.db, one.partnerId)).toEqual(expect.arrayContaining(['PAID 2000']));
    expect([
      ['PAID 2000', 'PAID 2000'],
      ['PAID 2000', 'APPROVED 3500'],
    ]).toContainEqual(await commissionsOf(own.db, one.partnerId));
    expect(await violations(own.db)).toEqual([]);
  }
});

test('marking again, and by several at once, changes nothing', async () => {
  const one = await earning(30_00, 20_00);
  await paidOut(one, 30_00);
  const again = () =>
    inTransaction(own.db, (tx) =>
      payCommissions(tx, { partnerId: one.partnerId, currency: 'USD', at: new Date() }),
    );
  expect(await Promise.all([again(), again(), again()])).toEqual([0, 0, 0]);
  expect(await commissionsOf(own.db, one.partnerId)).toEqual(['PAID 3000', 'APPROVED 2000']);
});

test('two at once never pay other commissions with the same money', async () => {
  const one = await earning(30_00, 30_00);
  const { partnerId } = one;
  await paidOut(one, 40_00);
  const made = (days: number) =>
    make.commission(own.db, { partnerId, grossMinor: 10_00, status: 'APPROVED', at: ago(days) });
  const pay = (tx: Tx) => payCommissions(tx, { partnerId, currency: 'USD', at: new Date() });
  await made(150);
  let second: Promise<number> | undefined;
  await inTransaction(own.db, async (tx) => {
    expect(await pay(tx)).toBe(1);
    await made(160);
    second = inTransaction(own.db, pay);
    await eventually(async () =>
      expect(
        await rows(own.db, `SELECT 1 FROM pg_locks WHERE locktype = 'advisory' AND NOT granted`),
      ).toHaveLength(1),
    );
  });
  expect(await second).toBe(0);
  expect(await commissionsOf(own.db, partnerId)).toEqual([
    ...['APPROVED 1000', 'PAID 1000', 'PAID 3000', 'APPROVED 3000'],
  ]);
});
