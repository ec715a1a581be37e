import { v7 } from 'uuid';
import { sandboxStatement } from '../../../../activities/providers/payments/sandbox/statement';
import type { StatementMovement } from '../../../../activities/providers/statements/port';
import {
  endSandboxTransfer,
  insertSandboxTransfer,
} from '../../../../db/commerce/sandbox/sandbox-transfer.writes';
import { insertSandboxPayment } from '../../../../db/commerce/sandbox/sandbox.writes';
import { execute } from '../../../../db/sql/query';
import { inTransaction } from '../../../../db/sql/transaction';
import { insertAll } from '../../../support/builders/make/insert';
import { ownDatabase } from '../../../support/servers/database';

const own = ownDatabase();
const FROM = new Date('2026-03-04T00:00:00Z');
const TO = new Date('2026-03-05T00:00:00Z');
const NOON = new Date('2026-03-04T12:00:00Z');

const money = { amount_minor: 10_00, currency: 'USD' };

async function wholeDay(pageSize: number, [from, to] = [FROM, TO]): Promise<StatementMovement[]> {
  const statement = sandboxStatement(own.db, pageSize);
  const movements: StatementMovement[] = [];
  for (let cursor: string | null = null, more = true; more; more = cursor !== null) {
    const page = await statement.listMovements({ from, to, cursor });
    movements.push(...page.movements);
    cursor = page.cursor;
  }
  return movements;
}

test('lists what moved on the day, closed-open, in pages of any size', async () => {
  const payment = (createdAt: Date, status = 'PAID', feeMinor = 0) => ({
    ...{ id: v7(), payment_key: v7(), ...money, status, fee_minor: feeMinor, created_at: createdAt },
  });
  const first = payment(FROM, 'PAID', 15);
  const same = [payment(NOON), payment(NOON), payment(NOON)];
  const outside = [payment(new Date(FROM.getTime() - 1)), payment(TO), payment(NOON, 'DECLINED', 0)];
  await insertAll(own.db, 'sandbox_payments', [first, ...same, ...outside]);
  const refund = { key: `${v7()}:1`, id: v7(), payment_id: first.id, ...money, created_at: NOON };
  await insertAll(own.db, 'sandbox_refunds', [refund]);
  const arrived = { ...money, status: 'ARRIVED', created_at: FROM, ended_at: NOON };
  const transfer = { key: `${v7()}:2`, id: v7(), ...arrived };
  const refused = { key: v7(), id: v7(), ...arrived, status: 'REFUSED' };
  const twice = { key: v7(), id: v7(), ...arrived, copies: 2 };
  const nextDay = { key: v7(), id: v7(), ...arrived, ended_at: TO };
  await insertAll(own.db, 'sandbox_transfers', [transfer, refused, nextDay]);
  await insertAll(own.db, 'sandbox_transfers', [twice]);

  const of = { amountMinor: 10_00, currency: 'USD' };
  const expected = [
    { kind: 'CAPTURE', providerId: first.id, reference: first.payment_key, ...of, at: FROM },
    { kind: 'FEE', providerId: `${first.id}:fee`, reference: null, ...of, amountMinor: 15, at: FROM },
    ...same.map(({ id, payment_key: reference }) => ({
      ...{ kind: 'CAPTURE', providerId: id, reference, ...of, at: NOON },
    })),
    { kind: 'REFUND', providerId: refund.id, reference: refund.key, ...of, at: NOON },
    { kind: 'TRANSFER_OUT', providerId: transfer.id, reference: transfer.key, ...of, at: NOON },
    { kind: 'TRANSFER_OUT', providerId: twice.id, reference: twice.key, ...of, at: NOON },
    { kind: 'TRANSFER_OUT', providerId: `${twice.id}:2`, reference: twice.key, ...of, at: NOON },
  ];
  for (const pageSize of [1, 2, 3, 7, 100]) {
    const movements = await wholeDay(pageSize);
    expect(movements).toHaveLength(expected.length);
    expect(movements).toEqual(expect.arrayContaining(expected));
  }
});

test('keeps a fee of money that comes in, rounded down, and none of what does not', async () => {
  const press = { key: v7(), amountMinor: 9_99, currency: 'USD', at: NOON, feeBp: 150 };
  await inTransaction(own.db, async (tx) => {
    await insertSandboxPayment(tx, press, { status: 'PAID', delayMs: 0 });
    await insertSandboxPayment(tx, { ...press, key: v7() }, { status: 'DECLINED', delayMs: 0 });
  });
  const fees = (await wholeDay(50)).filter(({ kind, amountMinor }) => kind === 'FEE' && amountMinor !== 15);
  expect(fees.map(({ amountMinor }) => amountMinor)).toEqual([14]);
});

test('a transfer is of the day that it arrives on, not of the day that it was asked for', async () => {
  const [key, id] = [v7(), v7()];
  const asked = new Date('2026-02-03T12:00:00Z');
  await insertSandboxTransfer(own.db, { key, id, amountMinor: 5, currency: 'USD', status: 'UNDER_WAY' });
  await execute(own.db, 'UPDATE sandbox_transfers SET created_at = $2 WHERE key = $1', [key, asked]);
  const before = new Date();
  await endSandboxTransfer(own.db, key, { status: 'ARRIVED', copies: 1 });
  const said = { kind: 'TRANSFER_OUT', providerId: id, reference: key, amountMinor: 5, currency: 'USD' };
  expect(await wholeDay(50, [asked, new Date(asked.getTime() + 1)])).toEqual([]);
  expect(await wholeDay(50, [before, new Date(before.getTime() + 3_600_000)])).toEqual([
    { ...said, at: expect.any(Date) },
  ]);
});

test('what a bank took back and returned is listed as the sandbox’s reports say, and nothing else of these', async () => {
  const day = new Date('2026-03-07T12:00:00Z');
  let reports = 0;
  const report = (type: string, chargebackId: unknown, more: object = {}) => ({
    ...{ id: v7(), provider: 'sandbox', kind: 'PAYMENT', external_event_id: `r${++reports}`, type },
    body: JSON.stringify({
      ...{ type, timestamp: day.toISOString() },
      data: { key: v7(), paymentId: v7(), chargebackId, amountMinor: 7_00, currency: 'USD', feeMinor: 15_00 },
    }),
    ...{ body_hash: 'ab', status: 'RECEIVED', received_at: day, ...more },
  });
  await insertAll(own.db, 'webhook_events', [
    report('payment.charged_back', 'cb-1'),
    report('payment.chargeback_returned', 'cb-1'),
    report('payment.charged_back', 'cb-2'),
    report('payment.chargeback_lost', 'cb-2'),
    report('payment.charged_back', 'cb-3', { provider: 'stripe' }),
    report('payment.charged_back', 'cb-4', { received_at: new Date(day.getTime() + 24 * 3_600_000) }),
    report('payment.charged_back', 5),
    report('payment.charged_back', 'cb-6', { body: 'not \\u0000 JSON' }),
  ]);
  const of = { reference: null, amountMinor: 7_00, currency: 'USD', at: day };
  for (const pageSize of [1, 50]) {
    const movements = await wholeDay(pageSize, [day, new Date(day.getTime() + 1)]);
    expect(movements).toHaveLength(3);
    expect(movements).toEqual(
      expect.arrayContaining([
        { kind: 'CHARGEBACK', providerId: 'cb-1', ...of },
        { kind: 'CHARGEBACK_RETURNED', providerId: 'cb-1', ...of },
        { kind: 'CHARGEBACK', providerId: 'cb-2', ...of },
      ]),
    );
  }
});
