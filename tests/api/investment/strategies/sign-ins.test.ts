import { v7 } from 'uuid';
import { execute, rows } from '../../../../db/sql/query';
import { signIn } from '../../../support/builders/sign-in';
import {
  investmentProvider,
  type InvestmentProvider,
} from '../../../support/builders/investing/investment-provider';
import { make } from '../../../support/builders/make';
import { ownCheckedWorld } from '../../../support/worlds/world';
import { outcomeOf } from '../../admin/admin-world';

let provider: InvestmentProvider;
const world = ownCheckedWorld();
beforeEach(async () => {
  provider = await investmentProvider(world);
});

/** A verified user, and a strategy of the provider. */
async function verified() {
  const user = await make.user(world.db, { kycLevel: 'STANDARD' });
  const token = await signIn(world, user);
  const strategy = await make.strategy(world.db, { providerCode: provider.code });
  return {
    user,
    strategy,
    redirect: (id = strategy.id) =>
      world.http.post(`/api/v1/investment/strategies/${id}/sso-redirect`).auth(token, { type: 'bearer' }),
    /** The report of an investment that nobody made here. */
    invested: {
      ...{ externalId: v7(), userId: user.id, strategyCode: strategy.strategyCode, amount: 1_000 },
      ...{ currency: 'USD', startDate: '2026-06-01', maturityDate: '2036-06-01' },
    },
  };
}

const signIns = (userId: string) =>
  rows<{ provider: string; firstAt: Date }>(
    world.db,
    'SELECT provider_code AS provider, first_at FROM investment_provider_sign_ins WHERE user_id = $1',
    [userId],
  );

describe('who was led to a provider is recorded', () => {
  test('once, with the first time, for any number of redirects and strategies of it', async () => {
    const { user, redirect } = await verified();
    const before = new Date();
    expect((await redirect()).status).toBe(200);
    const [first, ...more] = await signIns(user.id);
    expect(first).toEqual({ provider: provider.code, firstAt: expect.any(Date) as Date });
    expect(more).toEqual([]);
    expect(first!.firstAt.getTime()).toBeGreaterThanOrEqual(before.getTime());
    const other = await make.strategy(world.db, { providerCode: provider.code });
    const answers = await Promise.all([redirect(), redirect(), redirect(other.id)]);
    expect(answers.map(({ status }) => status)).toEqual([200, 200, 200]);
    expect(await signIns(user.id)).toEqual([first]);
  });

  test('once, where the first redirects come at the same time', async () => {
    const { user, redirect } = await verified();
    const answers = await Promise.all(Array.from({ length: 6 }, () => redirect()));
    expect(answers.map(({ status }) => status)).toEqual(Array<number>(6).fill(200));
    expect(await signIns(user.id)).toHaveLength(1);
  });

  test('for each provider by itself', async () => {
    const { user, redirect } = await verified();
    const { code } = await make.provider(world.db);
    const elsewhere = await make.strategy(world.db, { providerCode: code });
    await redirect();
    await redirect(elsewhere.id);
    const codes = (await signIns(user.id)).map((row) => row.provider);
    expect(codes.sort()).toEqual([code, provider.code].sort());
  });

  test.each([
    [
      '400 STRATEGY_NOT_ACTIVE',
      `UPDATE investment_strategies SET status = 'CLOSED' WHERE provider_code = $1`,
    ],
    ['503 PROVIDER_NOT_CONFIGURED', 'UPDATE investment_providers SET sso_audience = NULL WHERE code = $1'],
    ['503 PROVIDER_NOT_CONFIGURED', 'UPDATE investment_providers SET is_active = false WHERE code = $1'],
    [
      '503 PROVIDER_NOT_CONFIGURED',
      `DELETE FROM investment_provider_secrets WHERE provider_code = $1 AND purpose = 'SSO'`,
    ],
  ])('not with a redirect that is refused: %s', async (outcome, change) => {
    const { user, redirect } = await verified();
    await execute(world.db, change, [provider.code]);
    expect(outcomeOf(await redirect())).toBe(outcome);
    expect(await signIns(user.id)).toEqual([]);
  });

  test('not with a strategy that is not there', async () => {
    const { user, redirect } = await verified();
    expect(outcomeOf(await redirect(v7()))).toBe('404 STRATEGY_NOT_FOUND');
    expect(await signIns(user.id)).toEqual([]);
  });
});

describe('a report of an investment that nobody made here', () => {
  test('waits until its user was led to the provider, and is applied then', async () => {
    const { redirect, invested } = await verified();
    const id = v7();
    await provider.send('investment.created', invested, { id }).expect(202);
    expect((await provider.becomes(id, 'WAITING')).error).toBe(
      `Its user ${invested.userId} has no investment at this provider, and never went there from here to sign in.`,
    );
    expect((await redirect()).status).toBe(200);
    await provider.becomes(id, 'PROCESSED');
    expect(
      await rows(world.db, 'SELECT status, origin FROM participations WHERE external_id = $1', [
        invested.externalId,
      ]),
    ).toEqual([{ status: 'ACTIVE', origin: 'PROVIDER' }]);
  });

  test('waits on after a redirect that was refused, and after one to another provider', async () => {
    const { redirect, invested, strategy } = await verified();
    const { code } = await make.provider(world.db);
    const elsewhere = await make.strategy(world.db, { providerCode: code });
    expect((await redirect(elsewhere.id)).status).toBe(200);
    await execute(world.db, `UPDATE investment_strategies SET status = 'PAUSED' WHERE id = $1`, [
      strategy.id,
    ]);
    expect(outcomeOf(await redirect())).toBe('400 STRATEGY_NOT_ACTIVE');
    await execute(world.db, `UPDATE investment_strategies SET status = 'ACTIVE' WHERE id = $1`, [
      strategy.id,
    ]);
    const id = v7();
    await provider.send('investment.created', invested, { id }).expect(202);
    expect((await provider.becomes(id, 'WAITING')).error).toContain('never went there');
    expect(
      await rows(world.db, 'SELECT 1 FROM participations WHERE external_id = $1', [invested.externalId]),
    ).toEqual([]);
  });
});
