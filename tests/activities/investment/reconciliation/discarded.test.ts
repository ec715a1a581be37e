import { v7 } from 'uuid';
import { keepReports } from '../../../../db/investment/reconciliation/investment-report.transitions';
import { execute, rows } from '../../../../db/sql/query';
import { inTransaction } from '../../../../db/sql/transaction';
import { discard } from '../../../support/builders/investing/discarding';
import { ownDatabase } from '../../../support/servers/database';
import { compare, DAY_MS, maturedHere, paidHere, providerOf as providerIn } from './reconciling';

const own = ownDatabase();
const differences = (provider: string, at?: Date) => compare(own.db, provider, at);
const providerOf = () => providerIn(own.db);

describe('a report that a person discards', () => {
  const reportOf = async (externalEventId: string) =>
    (
      await rows<{ id: string }>(own.db, 'SELECT id FROM webhook_events WHERE external_event_id = $1', [
        externalEventId,
      ])
    )[0]!.id;

  test('counts as not reported, whether or not it was read; what it had replaced counts again', async () => {
    const alpha = await providerOf();
    await alpha.created('a');
    await alpha.profit('a', 10, 'one');
    await alpha.profit('a', 4, 'two');
    const [wrong, more, unread] = [v7(), v7(), v7()];
    const profit = (id: string, externalId: string, amount: number, investmentExternalId = 'a') =>
      alpha.report({ id, type: 'profit.distributed', data: { externalId, investmentExternalId, amount } });
    await profit(wrong, 'one', 12);
    await profit(more, 'three', 5_000);
    expect(await differences(alpha.code)).toMatchObject([
      { kind: 'PROFITS_DIFFER', heldMinor: 14_00, reportedMinor: 5_016_00 },
    ]);
    await profit(unread, 'four', 6_000);
    for (const id of [wrong, more, unread]) await discard(own.db, await reportOf(id));
    expect(await differences(alpha.code)).toEqual([]);
    expect(
      await rows(
        own.db,
        `SELECT external_id, amount::float8 AS amount FROM investment_reports
         WHERE provider_code = $1 AND type = 'PROFIT' ORDER BY 1`,
        [alpha.code],
      ),
    ).toEqual([
      { externalId: 'one', amount: 10 },
      { externalId: 'two', amount: 4 },
    ]);
  });

  test('of an investment that nobody here has leaves no difference', async () => {
    const alpha = await providerOf();
    const id = v7();
    const profit = { externalId: 'p', investmentExternalId: 'nobodys', amount: 5 };
    await alpha.report({ id, type: 'profit.distributed', data: profit });
    const later = new Date(Date.now() + 4 * DAY_MS);
    expect(await differences(alpha.code, later)).toMatchObject([{ kind: 'UNKNOWN_HERE', name: 'nobodys' }]);
    await discard(own.db, await reportOf(id));
    expect(await differences(alpha.code, later)).toEqual([]);
  });

  test('while the reconciliation has read its text is not kept', async () => {
    const alpha = await providerOf();
    const id = await alpha.store({
      type: 'profit.distributed',
      data: { externalId: 'p', investmentExternalId: 'a', amount: 5 },
    });
    await alpha.apply(id);
    await discard(own.db, id);
    const movement = {
      ...{ providerCode: alpha.code, type: 'PROFIT' as const, externalId: 'p', investmentExternalId: 'a' },
      ...{
        webhookEventId: id,
        reportedAt: new Date(),
        occurredAt: new Date(),
        currency: null,
        amount: 5,
        penalty: 0,
      },
    };
    await inTransaction(own.db, (tx) => keepReports(tx, [movement], [id], new Date()));
    expect(await rows(own.db, 'SELECT 1 FROM investment_reports WHERE webhook_event_id = $1', [id])).toEqual(
      [],
    );
  });
});

describe.each(['kept', 'deleted'])(
  'where the texts of applied reports are %s, discarding gives back',
  (texts) => {
    /** Deletes the texts as retention does. */
    async function forget(provider: string): Promise<void> {
      if (texts === 'deleted')
        await execute(
          own.db,
          `UPDATE webhook_events SET body = NULL WHERE provider = $1 AND status = 'PROCESSED' AND reconciled_at IS NOT NULL`,
          [provider],
        );
    }

    test('the principal of a participation that was paid for here', async () => {
      const alpha = await paidHere(own.db);
      const wrong = await alpha.store({
        type: 'investment.created',
        data: {
          ...{ externalId: 'inv', userId: alpha.userId, strategyCode: alpha.strategy.strategyCode },
          ...{ amount: 1_100, currency: 'USD', startDate: new Date().toISOString() },
        },
      });
      expect(await alpha.apply(wrong)).toMatchObject({ outcome: 'DEAD' });
      expect(await differences(alpha.code)).toMatchObject([
        { kind: 'PRINCIPAL_DIFFERS', reportedMinor: 1_100_00 },
      ]);
      await forget(alpha.code);
      expect(await discard(own.db, wrong)).toBe('DISCARDED');
      expect(await differences(alpha.code)).toEqual([]);
    });

    test('a payout that was made here and is confirmed', async () => {
      const alpha = await maturedHere(own.db);
      const word = (amount: number) =>
        alpha.store({
          type: 'investment.withdrawn',
          data: { externalId: 'Payout', investmentExternalId: 'inv', amount },
        });
      const [right, wrong] = [await word(1_000), await word(900.001)];
      const later = `UPDATE webhook_events SET received_at = received_at + interval '1 second' WHERE id = $1`;
      await execute(own.db, later, [wrong]);
      expect(await alpha.apply(wrong)).toMatchObject({ outcome: 'DEAD' });
      expect(await alpha.apply(right)).toMatchObject({ outcome: 'APPLIED' });
      expect(await differences(alpha.code)).toMatchObject([
        { kind: 'WITHDRAWAL_DIFFERS', reportedMinor: 900_00 },
      ]);
      await forget(alpha.code);
      expect(await discard(own.db, wrong)).toBe('DISCARDED');
      expect(await differences(alpha.code)).toEqual([]);
    });

    test('a payout of the provider with the penalty that it keeps', async () => {
      const alpha = await providerOf();
      await alpha.created('a');
      const word = (amount: number) =>
        alpha.store({
          type: 'investment.withdrawn',
          data: { externalId: 'payout', investmentExternalId: 'a', amount, penalty: 20 },
        });
      expect(await alpha.apply(await word(1_000))).toMatchObject({ outcome: 'APPLIED' });
      const wrong = await word(990);
      expect(await alpha.apply(wrong)).toMatchObject({ outcome: 'DEAD' });
      expect(await differences(alpha.code)).toMatchObject([{ heldMinor: 1_000_00, reportedMinor: 990_00 }]);
      await forget(alpha.code);
      await discard(own.db, wrong);
      expect(await differences(alpha.code)).toEqual([]);
    });
  },
);

test('of two that were not applied, the older counts again when the newer is discarded', async () => {
  const alpha = await providerOf();
  await alpha.created('a');
  const word = async (amount: number) => {
    const data = { externalId: 'p', investmentExternalId: 'a', amount };
    const id = await alpha.store({ type: 'profit.distributed', data });
    expect(await alpha.apply(id)).toMatchObject({ outcome: 'DEAD' });
    return id;
  };
  const [older, newer] = [await word(5_000), await word(6_000)];
  expect(await differences(alpha.code)).toMatchObject([{ heldMinor: 0, reportedMinor: 6_000_00 }]);
  await discard(own.db, newer);
  expect(await differences(alpha.code)).toMatchObject([{ heldMinor: 0, reportedMinor: 5_000_00 }]);
  await discard(own.db, older);
  expect(await differences(alpha.code)).toEqual([]);
});
