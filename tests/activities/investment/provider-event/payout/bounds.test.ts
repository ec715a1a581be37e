import { v7 } from 'uuid';
import { execute, firstRow } from '../../../../../db/sql/query';
import { make } from '../../../../support/builders/make';
import { violations } from '../../../../support/checks/violations';
import { ownDatabase } from '../../../../support/servers/database';
import { reporting, standing } from '../reporting';

const own = ownDatabase();

afterEach(async () => {
  expect(await violations(own.db)).toEqual([]);
});

/** An investment of 1,000 that was paid here and is known to its provider. */
async function running(options: { status?: 'ACTIVE' | 'MATURED'; variables?: Record<string, string> } = {}) {
  const { status = 'ACTIVE', variables = {} } = options;
  const user = await make.user(own.db, { kycLevel: 'STANDARD' });
  const strategy = await make.strategy(own.db, { lockDays: 0 });
  const provider = reporting(own.db, strategy.providerCode, variables);
  const investmentExternalId = v7();
  const of = { userId: user.id, strategyId: strategy.id, status };
  const at = status === 'MATURED' ? { at: new Date('2025-01-01T00:00:00Z') } : {};
  await make.participation(own.db, { ...of, ...at, externalId: investmentExternalId });
  return {
    ...provider,
    ...{ user, strategy, investmentExternalId },
    send: (type: string, data: Record<string, unknown>) =>
      provider.report({ type, data: { investmentExternalId, externalId: v7(), ...data } }),
    store: (type: string, data: Record<string, unknown>) =>
      provider.store({ type, data: { investmentExternalId, externalId: v7(), ...data } }),
    confirm: (id: string) =>
      execute(own.db, 'UPDATE webhook_events SET confirmed_at = now() WHERE id = $1', [id]),
  };
}

const dead = (reason: string) => ({ outcome: 'DEAD', reason });

describe('one report', () => {
  test.each([
    [
      1_000.01,
      'Its 1000.01 USD is more than 100 % of the principal of the investment ID, 1000.00 USD: a person has to confirm it.',
    ],
    [
      -1_000.01,
      'Its -1000.01 USD is more than 100 % of the principal of the investment ID, 1000.00 USD: a person has to confirm it.',
    ],
    [
      9_999_999_999_999,
      'With its 9999999999999.00 USD the profits of the investment ID are more than any can have, 9999999999.99 USD.',
    ],
  ])('of a profit of %d on 1,000 is refused; one of the principal is not', async (amount, words) => {
    const { send, investmentExternalId } = await running();
    const reason = words.replace('ID', investmentExternalId);
    expect(await send('profit.distributed', { amount })).toEqual(dead(reason));
    expect(await send('profit.distributed', { amount: 1_000 })).toMatchObject({ outcome: 'APPLIED' });
  });

  test('of a payout above principal, profits and that share needs a person, who lets it through', async () => {
    const { store, apply, confirm, send, investmentExternalId } = await running();
    await send('profit.distributed', { amount: 50 });
    const id = await store('investment.withdrawn', { amount: 2_050.01 });
    expect(await apply(id)).toEqual(
      dead(
        `It pays out 2050.01 USD, more than the 2050.00 USD that the investment ${investmentExternalId} can have earned: a person has to confirm it.`,
      ),
    );
    await confirm(id);
    expect(await apply(id)).toMatchObject({ outcome: 'APPLIED' });
    expect(await standing(own.db, investmentExternalId)).toMatchObject({
      participation: { status: 'WITHDRAWN' },
    });
  });

  test.each([10, 0, 999.99])(
    'of a payout of %d of 1,000 waits, and a person can confirm it',
    async (amount) => {
      const { store, apply, confirm, row, investmentExternalId } = await running();
      const id = await store('investment.withdrawn', { amount, status: 'WITHDRAWN' });
      const reason = `It pays out ${amount.toFixed(2)} USD, less than the 1000.00 USD that the investment ${investmentExternalId} holds: a loss or a part has yet to be reported, or a person has to confirm it.`;
      expect(await apply(id)).toEqual({ outcome: 'WAITING', reason });
      expect(await row(id)).toMatchObject({ status: 'WAITING', waitsFor: investmentExternalId });
      expect(await standing(own.db, investmentExternalId)).toMatchObject({
        participation: { status: 'ACTIVE' },
      });
      await confirm(id);
      expect(await apply(id)).toMatchObject({ outcome: 'APPLIED' });
    },
  );

  test('of a payout that is too small is woken by the loss that explains it', async () => {
    const { store, apply, send, row, investmentExternalId } = await running();
    const id = await store('investment.withdrawn', { amount: 900, status: 'WITHDRAWN' });
    expect(await apply(id)).toMatchObject({ outcome: 'WAITING' });
    await send('profit.distributed', { amount: -100 });
    await apply(id);
    expect(await row(id)).toMatchObject({ status: 'PROCESSED' });
    expect(await standing(own.db, investmentExternalId)).toMatchObject({
      participation: { status: 'WITHDRAWN' },
    });
  });

  test('of a part of which its provider keeps more than the terms say needs a person', async () => {
    const { send, investmentExternalId } = await running();
    expect(await send('investment.withdrawn', { amount: 500, penalty: 500, status: 'PARTIAL' })).toEqual(
      dead(
        `Its penalty of 500.00 USD is more than the 0.00 USD that the terms of the investment ${investmentExternalId} ask for: a person has to confirm it.`,
      ),
    );
  });

  test('that nobody can confirm: more than can be shown', async () => {
    const { store, apply, confirm } = await running();
    for (const type of ['profit.distributed', 'investment.withdrawn']) {
      const id = await store(type, { amount: 9_999_999_999.99 + 0.01 });
      await confirm(id);
      expect(await apply(id)).toMatchObject({ outcome: 'DEAD' });
    }
  });
});

describe('one day of a provider', () => {
  test('ends at its limit, also for ten reports at once; what a person confirms is let through', async () => {
    const variables = { POLICY_PROVIDER_DAILY_LIMIT: '500' };
    const { store, apply, confirm, send } = await running({ status: 'MATURED', variables });
    const ids = await Promise.all(
      Array.from({ length: 10 }, () => store('profit.distributed', { amount: 100 })),
    );
    const outcomes = await Promise.all(ids.map(apply));
    expect(outcomes.filter(({ outcome }) => outcome === 'APPLIED')).toHaveLength(5);
    const refused = ids[outcomes.findIndex(({ outcome }) => outcome === 'DEAD')]!;
    const reason = (amount: string) =>
      `With its ${amount} its provider would pay more in a day than 500.00 USD: a person has to confirm it.`;
    expect(await apply(refused)).toEqual(dead(reason('100.00 USD')));
    await confirm(refused);
    expect(await apply(refused)).toMatchObject({ outcome: 'APPLIED' });
    expect(await send('profit.distributed', { amount: 0.01 })).toEqual(dead(reason('0.01 USD')));
  });

  test('counts what is beyond the principal that was paid here', async () => {
    const { send } = await running({ variables: { POLICY_PROVIDER_DAILY_LIMIT: '100' } });
    expect(await send('investment.withdrawn', { amount: 1_100 })).toMatchObject({ outcome: 'APPLIED' });
    expect(
      await firstRow(own.db, 'SELECT 1 FROM provider_day_totals WHERE credited_minor = 10000'),
    ).not.toBeNull();
  });
});

test('a late profit of somebody who has deleted the account stays with the provider', async () => {
  const { user, send, investmentExternalId } = await running({ status: 'MATURED' });
  await execute(own.db, 'UPDATE users SET erased_at = now(), password_hash = NULL WHERE id = $1', [user.id]);
  expect(await send('profit.distributed', { amount: 1 })).toEqual(
    dead(`The owner of the investment ${investmentExternalId} has deleted the account.`),
  );
  await execute(own.db, 'UPDATE users SET erased_at = NULL WHERE id = $1', [user.id]);
});
