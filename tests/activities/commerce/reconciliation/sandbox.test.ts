import { v7 } from 'uuid';
import { sandboxStatement } from '../../../../activities/providers/payments/sandbox/statement';
import { insertAll } from '../../../support/builders/make/insert';
import { ownDatabase } from '../../../support/servers/database';
import { recorded } from './our-records';
import { at, comparing, dayBeside, openWith } from './their-statement';

type Own = ReturnType<typeof ownDatabase>;

async function wholeDays({ db }: Own): Promise<number[]> {
  const run = (day?: string) => comparing(db, sandboxStatement(db)).run(day);
  return [await run(dayBeside(-1)), await run(), await run(dayBeside(1))];
}

describe('the statement of the sandbox', () => {
  const own = ownDatabase();

  test('a transfer that was asked for the day before, and one that a bank took back, are the same in both statements', async () => {
    const id = v7();
    const { reference } = await recorded(own, 'sandbox', {
      ...{ kind: 'TRANSFER_OUT', providerId: id, amountMinor: 5_00, at: at(12) },
    });
    await insertAll(own.db, 'sandbox_transfers', [
      { ...sent(id, reference), created_at: at(-12), ended_at: at(12) },
    ]);
    for (const [kind, type] of [
      ['CHARGEBACK', 'payment.charged_back'],
      ['CHARGEBACK_RETURNED', 'payment.chargeback_returned'],
    ] as const) {
      const chargebackId = v7();
      await recorded(own, 'sandbox', { kind, providerId: chargebackId, amountMinor: 7_00, at: at(12) });
      await insertAll(own.db, 'webhook_events', [report(type, chargebackId)]);
      // The money that a bank gives back was taken, and compared, long before.
      if (kind === 'CHARGEBACK_RETURNED')
        await insertAll(own.db, 'webhook_events', [
          report('payment.charged_back', chargebackId, at(-24 * 40)),
        ]);
    }
    expect(await wholeDays(own)).toEqual([0, 0, 0]);
  });
});

describe('of days that were not read before', () => {
  const own = ownDatabase();

  test('a transfer that was paid twice is found', async () => {
    const id = v7();
    const { ourId, reference } = await recorded(own, 'sandbox', {
      ...{ kind: 'TRANSFER_OUT', providerId: id, amountMinor: 5_00, at: at(12) },
    });
    const arrived = { created_at: at(12), ended_at: at(12), copies: 2 };
    await insertAll(own.db, 'sandbox_transfers', [{ ...sent(id, reference), ...arrived }]);
    expect(await wholeDays(own)).toEqual([0, 1, 1]);
    expect(await openWith(own.db, 'sandbox')).toEqual([
      { kind: 'TWICE', movementKind: 'TRANSFER_OUT', providerId: `${id}:2`, ourId },
    ]);
  });
});

const sent = (id: string, key: string | null) => ({
  ...{ key, id, amount_minor: 5_00, currency: 'USD', status: 'ARRIVED' },
});

const report = (type: string, chargebackId: string, receivedAt = at(12)) => ({
  ...{ id: v7(), provider: 'sandbox', kind: 'PAYMENT', external_event_id: v7(), type, body_hash: 'ab' },
  body: JSON.stringify({
    type,
    data: { key: v7(), paymentId: v7(), chargebackId, amountMinor: 7_00, currency: 'USD' },
  }),
  ...{ status: 'PROCESSED', received_at: receivedAt, processed_at: receivedAt },
});
