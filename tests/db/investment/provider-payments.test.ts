import { v7 } from 'uuid';
import { enterProviderPayment } from '../../../api/admin/providers/payments/enter.command';
import { writeOffDebt } from '../../../api/admin/providers/write-offs/write-off.command';
import { countDebts } from '../../../db/investment/provider-payment/provider-debt.transitions';
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
    ...{ bankReference, note: null, ahead: false },
  });
  return {
    code,
    enter: (amountMinor: number, bankReference?: string) =>
      enterProviderPayment({ db: own.db, policy }, payment(amountMinor, bankReference), by),
    enterIn: (db: Db, amountMinor: number) => enterProviderPayment({ db, policy }, payment(amountMinor), by),
    /** A row without its booking, past all that the command checks. */
    row: (amount_minor: number, direction = 'RECEIVED', parts: object = {}) =>
      insert(own.db, 'investment_provider_payments', {
        ...{ id: v7(), provider_code: code, direction, amount_minor, currency: 'USD' },
        ...{ bank_reference: v7(), entered_by: actorId, created_at: new Date(), ...parts },
      }),
    /** The same of a write-off. */
    writeOffRow: (amount_minor: number) =>
      insert(own.db, 'investment_provider_write_offs', {
        ...{ id: v7(), provider_code: code, amount_minor, currency: 'USD', reason: 'It was wound up.' },
        ...{ decided_by: actorId, created_at: new Date() },
      }),
    writeOffIn: (db: Db, amountMinor: number) =>
      writeOffDebt(
        { db, policy },
        { providerCode: code, amountMinor, currency: 'USD', reason: 'It was wound up.' },
        by,
      ),
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

  test('refuses a write-off of more than is owed, payments and write-offs before it included', async () => {
    const { writeOffRow, writeOffIn, enter } = await owing();
    await enter(300_00);
    await writeOffIn(own.db, 300_00);
    expect(violates(await refusal(writeOffRow(400_01)), 'investment_provider_write_offs_bound')).toBe(true);
    const transaction = await own.db.sequelize.transaction();
    await writeOffIn({ ...own.db, transaction }, 300_00);
    const second = refusal(writeOffRow(300_00));
    await waiting(own.db, 1);
    await transaction.commit();
    expect(violates(await second, 'investment_provider_write_offs_bound')).toBe(true);
  });

  test.each([
    ['a recovery of what was not written off', 1_001_00, { recovered_minor: 201_00, credited_minor: 200_00 }],
    ['a recovery of it in the place of a debt', 201_00, { recovered_minor: 201_00 }],
    ['a part that is neither owed nor stated', 1_001_00, { recovered_minor: 200_00 }],
  ])('refuses %s', async (_, amountMinor, parts) => {
    const { writeOffIn, row } = await owing();
    await writeOffIn(own.db, 200_00);
    const error = await refusal(row(amountMinor, 'RECEIVED', parts));
    expect(violates(error, 'investment_provider_payments_bound')).toBe(true);
  });

  test('refuses a credit of the platform itself, which reports nothing', async () => {
    const { row, code } = await owing();
    await execute(own.owner, 'DELETE FROM investment_provider_secrets WHERE provider_code = $1', [code]);
    const error = await refusal(row(1, 'RECEIVED', { credited_minor: 1 }));
    expect(violates(error, 'investment_provider_payments_bound')).toBe(true);
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

  test('refuses to change or delete a payment and a write-off', async () => {
    const { enter, writeOffIn } = await owing();
    const rowsOf = {
      investment_provider_payments: await enter(5),
      investment_provider_write_offs: await writeOffIn(own.db, 5),
    };
    for (const [table, { id }] of Object.entries(rowsOf))
      for (const statement of [
        `UPDATE ${table} SET amount_minor = 6 WHERE id = '${id}'`,
        `DELETE FROM ${table} WHERE id = '${id}'`,
        `TRUNCATE ${table}`,
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
