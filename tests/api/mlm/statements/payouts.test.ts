import type { Response } from 'supertest';
import { inTransaction } from '../../../../db/sql/transaction';
import { make } from '../../../support/builders/make';
import { completedPayout } from '../../../support/builders/make/partners/payouts';
import { decision, payee, payoutSteps, requested } from '../../../support/builders/paying-out/payees';
import { signIn } from '../../../support/builders/sign-in';
import { FakePayouts } from '../../../support/fakes/fake-payouts';
import { ownCheckedWorld } from '../../../support/worlds/world';

const world = ownCheckedWorld({ worker: false });
const steps = () => payoutSteps(world.db, new FakePayouts());

const REQUESTED = '2025-11-29T12:00:00.000Z';
const DECIDED = '2025-12-03T12:00:00.000Z';
const NOTHING = { earned: 0, reversed: 0, spent: 0, returned: 0, paid: 0, forfeited: 0, other: 0 };

/** A partner with 200.00 of a commission of November that is available. */
async function earner() {
  const one = await payee(world.db, { availableMinor: 0 });
  const commission = { partnerId: one.partnerId, grossMinor: 200_00, status: 'APPROVED' } as const;
  await make.commission(world.db, { ...commission, at: new Date('2025-11-02T12:00:00Z') });
  const token = await signIn(world, one.user);
  const get = (path: string): Promise<Response> =>
    Promise.resolve(world.http.get(`/api/v1/mlm${path}`).auth(token, { type: 'bearer' }));
  const statement = async (month: string) => {
    const {
      period: _,
      currency: __,
      linesCount: ___,
      lines,
      ...sums
    } = (await get(`/statements/${month}`)).body.data;
    const moved = (lines as { kind: string; amount: number }[]).map(
      ({ kind, amount }) => `${kind} ${amount}`,
    );
    return { ...(sums as object), moved };
  };
  /** `paid` of the history of commissions, by month. */
  const paid = async (...months: string[]) => {
    const { history } = (await get('/commissions/history?periods=100')).body.data;
    return months.map(
      (month) => (history as { period: string; paid: number }[]).find(({ period }) => period === month)?.paid,
    );
  };
  const owned = async () => {
    const { available, pending, held } = (await get('/payouts/balance')).body.data;
    return (available as number) + (pending as number) + (held as number);
  };
  return { ...one, statement, paid, owned };
}

/** A payout of 100.00 that is requested in November. */
const request = (one: Awaited<ReturnType<typeof earner>>): Promise<string> =>
  requested(steps(), one, 100_00, undefined, REQUESTED);

const november = { ...NOTHING, opening: 0, earned: 200, closing: 200, moved: ['EARNED 200'] };

test('a payout that is rejected in the next month was paid in neither', async () => {
  const one = await earner();
  const payoutId = await request(one);
  expect(await one.statement('2025-11')).toEqual(november);
  expect(await one.owned()).toBe(200);
  const rejection = await decision(world.db, payoutId, { text: 'Not yours.' });
  await steps().rejectPayout({ ...rejection, at: DECIDED, returnsFunds: true });
  expect(await one.statement('2025-11')).toEqual(november);
  expect(await one.statement('2025-12')).toEqual({ ...NOTHING, opening: 200, closing: 200, moved: [] });
  expect(await one.paid('2025-11', '2025-12')).toEqual([0, 0]);
});

test('one that is rejected without its money is forfeited, and not paid', async () => {
  const one = await earner();
  const rejection = await decision(world.db, await request(one), { text: 'Fraud.' });
  await steps().rejectPayout({ ...rejection, at: DECIDED, returnsFunds: false });
  expect(await one.statement('2025-11')).toEqual(november);
  expect(await one.statement('2025-12')).toEqual({
    ...{ ...NOTHING, opening: 200, forfeited: 100, closing: 100, moved: ['FORFEITED -100'] },
  });
  expect(await one.paid('2025-11', '2025-12')).toEqual([0, 0]);
  expect(await one.owned()).toBe(100);
});

test('one that arrives in the next month is paid in that, as the history has it', async () => {
  const one = await earner();
  const { partnerId, userId } = one;
  const payout = { partnerId, userId, amountMinor: 100_00, at: new Date(DECIDED) };
  await inTransaction(world.db, (tx) => completedPayout(tx, { ...payout, requestedAt: new Date(REQUESTED) }));
  expect(await one.statement('2025-11')).toEqual(november);
  expect(await one.statement('2025-12')).toEqual({
    ...{ ...NOTHING, opening: 200, paid: 100, closing: 100, moved: ['PAID -100'] },
  });
  expect(await one.paid('2025-11', '2025-12')).toEqual([0, 100]);
  expect(await one.owned()).toBe(100);
});

test('what is held of the wallet is no part of it', async () => {
  const one = await earner();
  await make.money(world.db, one.userId, 50_00);
  const wallet = { kind: 'WALLET', userId: one.userId } as const;
  const payoutId = await requested(steps(), wallet, 20_00, undefined, REQUESTED);
  expect(await one.statement('2025-11')).toEqual(november);
  const rejection = await decision(world.db, payoutId, { text: 'Not yours.' });
  await steps().rejectPayout({ ...rejection, at: DECIDED, returnsFunds: true });
  expect(await one.statement('2025-12')).toEqual({ ...NOTHING, opening: 200, closing: 200, moved: [] });
});
