import { v7 } from 'uuid';
import { enterProviderPayment } from '../../../api/admin/providers/payments/enter.command';
import { countDebts } from '../../../db/investment/reconciliation/provider-debt.transitions';
import { isContention, violates } from '../../../db/sql/errors';
import { execute, firstRow, rows, type Db } from '../../../db/sql/query';
import { make } from '../../support/builders/make';
import { insert } from '../../support/builders/make/insert';
import { waiting } from '../../support/checks/held-locks';
import { violations } from '../../support/checks/violations';
import { ownDatabase } from '../../support/servers/database';

const own = ownDatabase();
const policy = { providerDebtLimit: 500 };

/** A provider that owes 1,000 USD, and somebody who enters payments of it. */
async function owing() {
  const { code } = await make.provider(own.db);
  const { id: strategyId } = await make.strategy(own.db, { providerCode: code });
  await make.participation(own.db, { strategyId, status: 'MATURED', amountMinor: 1_000_00 });
  const { id: actorId } = await make.admin(own.db);
  const by = { actorId, clientAddress: '127.0.0.1' };
  const payment = (amountMinor: number, bankReference: string = v7()) => ({
    ...{ providerCode: code, direction: 'RECEIVED' as const, amountMinor, currency: 'USD' },
    ...{ bankReference, note: null },
  });
  return {
    code,
    enter: (amountMinor: number, bankReference?: string) =>
      enterProviderPayment({ db: own.db, policy }, payment(amountMinor, bankReference), by),
    enterIn: (db: Db, amountMinor: number) => enterProviderPayment({ db, policy }, payment(amountMinor), by),
    /** A row without its booking, past all that the command checks. */
    row: (amount_minor: number, direction = 'RECEIVED', db: Db = own.db) =>
      insert(db, 'investment_provider_payments', {
        ...{ id: v7(), provider_code: code, direction, amount_minor, currency: 'USD' },
        ...{ bank_reference: v7(), entered_by: actorId, created_at: new Date() },
      }),
    counted: () =>
      firstRow(
        own.db,
        'SELECT owed_minor, beyond_since FROM investment_provider_debts WHERE provider_code = $1',
        [code],
      ),
  };
}

const refusal = async (work: Promise<unknown>): Promise<unknown> =>
  work.then(() => null).catch((e: unknown) => e);

describe('the database', () => {
  test.each([
    ['more than is owed', 1_000_01, 'RECEIVED'],
    ['more back than was received', 1, 'SENT'],
  ])('refuses %s, whatever the code above it checks', async (_, amountMinor, direction) => {
    const { row, code } = await owing();
    const error = await refusal(row(amountMinor, direction));
    expect(violates(error, 'investment_provider_payments_bound')).toBe(true);
    expect(
      await rows(own.db, 'SELECT 1 FROM investment_provider_payments WHERE provider_code = $1', [code]),
    ).toEqual([]);
  });

  test('compares a payment with what the one before it has left, also while that is not committed', async () => {
    const { enterIn, row } = await owing();
    const transaction = await own.db.sequelize.transaction();
    await enterIn({ ...own.db, transaction }, 600_00);
    const second = refusal(row(600_00));
    await waiting(own.db, 1);
    await transaction.commit();
    expect(violates(await second, 'investment_provider_payments_bound')).toBe(true);
  });

  test('refuses to change or delete a payment', async () => {
    const { enter } = await owing();
    const { id } = await enter(5);
    for (const statement of [
      `UPDATE investment_provider_payments SET amount_minor = 6 WHERE id = '${id}'`,
      `DELETE FROM investment_provider_payments WHERE id = '${id}'`,
      'TRUNCATE investment_provider_payments',
    ])
      expect(String(await refusal(execute(own.owner, statement)))).toContain('is append-only');
  });
});

test('a payment while the daily sum is added up is not lost from it: the sum is added up again', async () => {
  const { enter, counted } = await owing();
  await enter(1_00);
  expect(await counted()).toMatchObject({ owedMinor: 999_00, beyondSince: expect.any(Date) });
  const daily = (meanwhile: () => Promise<unknown>) =>
    own.db.sequelize.transaction({ isolationLevel: 'REPEATABLE READ' as never }, async (transaction) => {
      const tx = { ...own.db, transaction };
      await firstRow(tx, 'SELECT count(*) FROM ledger_entries');
      await meanwhile();
      await countDebts(tx, new Date(), policy.providerDebtLimit, '{"USD": 100}');
    });
  expect(isContention(await refusal(daily(() => enter(600_00))))).toBe(true);
  expect(await counted()).toEqual({ owedMinor: 399_00, beyondSince: null });
  await daily(() => Promise.resolve());
  expect(await counted()).toEqual({ owedMinor: 399_00, beyondSince: null });
});

test('what was entered is in agreement with the ledger', async () => {
  const { enter } = await owing();
  await enter(5_00, 'BANK 7');
  await enter(5_00, 'bank7');
  expect(await violations(own.db)).toEqual([]);
});
