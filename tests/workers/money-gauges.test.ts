import { Registry } from 'prom-client';
import { platformFigures } from '../../db/administration/operations/platform-figures.reads';
import { execute, rows } from '../../db/sql/query';
import { platformGauges } from '../../workers/observe/gauges/platform-gauges';
import { given } from '../support/builders/given';
import {
  decision,
  fundsOf,
  payee,
  payoutSteps,
  processed,
  requested,
} from '../support/builders/paying-out/payees';
import { ownDatabase } from '../support/servers/database';
import { FakePayouts } from '../support/fakes/fake-payouts';

const own = ownDatabase();

/** The exported values of series; null where there is none. */
async function values(...series: string[]): Promise<(number | null)[]> {
  const registry = new Registry();
  platformGauges(registry).show(await platformFigures(own.db));
  const lines = (await registry.metrics()).split('\n');
  return series.map((wanted) => {
    const line = lines.find((candidate) => candidate.startsWith(`${wanted} `));
    return line === undefined ? null : Number(line.slice(wanted.length));
  });
}

test('payouts that are not concluded are counted by status, and what is held for them is their sum', async () => {
  const open = ['APPROVED', 'PENDING', 'PROCESSING'].map(
    (status) => `platform_payouts_open{status="${status}"}`,
  );
  const held = 'platform_payouts_held_amount_minor{currency="USD"}';
  expect(await values(...open, held)).toEqual([0, 0, 0, null]);
  const steps = payoutSteps(own.db, new FakePayouts('stripe'));
  const [ada, bob, eve] = [await payee(own.db), await payee(own.db), await payee(own.db)];
  await requested(steps, ada, 10_00);
  const approved = await requested(steps, bob, 20_00);
  await steps.approvePayout(await decision(own.db, approved));
  await processed(own.db, steps, eve, 30_00);
  expect(await values(...open, held)).toEqual([1, 1, 1, 60_00]);
  const holds = await Promise.all([ada, bob, eve].map(({ userId }) => fundsOf(own.db, userId)));
  expect(holds.map(({ heldMinor }) => heldMinor)).toEqual([10_00, 20_00, 30_00]);
  await steps.rejectPayout({
    ...(await decision(own.db, approved, { text: 'Not this one.' })),
    returnsFunds: true,
  });
  expect(await values(...open, held)).toEqual([0, 1, 1, 40_00]);
});

test('refunds owed: those on their way and those that were given up, with their age and their money', async () => {
  const of = (name: string, status: string) => `platform_refunds_owed${name}{status="${status}"}`;
  const counts = [of('', 'ABANDONED'), of('', 'PROCESSING')];
  const amount = 'platform_refunds_owed_amount_minor{currency="USD"}';
  expect(await values(...counts, amount)).toEqual([0, 0, null]);
  const first = await given(own.db).order().paid().cancelled();
  const second = await given(own.db).order().paid().cancelled();
  const [, , owed] = await values(...counts, amount);
  const [both] = await rows<{ minor: number }>(
    own.db,
    'SELECT sum(total_minor)::bigint AS minor FROM orders WHERE id IN ($1, $2)',
    [first.orderId, second.orderId],
  );
  expect(owed).toBe(both!.minor);
  await execute(
    own.db,
    `UPDATE payment_refunds SET created_at = now() - interval '2 hours', status = 'ABANDONED' WHERE order_id = $1`,
    [first.orderId],
  );
  expect(await values(...counts, amount)).toEqual([1, 1, owed]);
  const [oldest] = await values(of('_oldest_seconds', 'ABANDONED'));
  expect(oldest).toBeGreaterThanOrEqual(7_200);
  expect(oldest).toBeLessThan(7_300);
});
