import { setTimeout as pause } from 'node:timers/promises';
import { randomUUID } from 'node:crypto';
import { z } from 'zod';
import { execute, firstRow } from '../../../../db/sql/query';
import { PROVIDER_QUEUES } from '../../../../workers/queues';
import {
  investor,
  participationState,
  walletMinor,
  type InvestmentOptions,
} from '../../../support/builders/investing/investors';
import { make } from '../../../support/builders/make';
import { ownCheckedWorld, startWorld } from '../../../support/worlds/world';

const world = ownCheckedWorld({ queues: ['interactive', ...PROVIDER_QUEUES] });

/** Document 2 §4.2, strictly: no field is missing or added. Written from the document. */
const OpenedShape = z.strictObject({
  participationId: z.uuid(),
  strategyId: z.uuid(),
  strategyName: z.string(),
  amount: z.number(),
  currency: z.string(),
  durationDays: z.int(),
  expectedReturn: z.strictObject({ min: z.number(), max: z.number(), expected: z.number() }),
  maturityDate: z.iso.datetime(),
  status: z.enum(['PENDING_PAYMENT', 'ACTIVE']),
  payment: z
    .strictObject({
      method: z.enum(['CARD', 'BANK_TRANSFER']),
      amount: z.number(),
      currency: z.string(),
      paymentUrl: z.url().optional(),
      bankDetails: z
        .strictObject({
          bankName: z.string(),
          accountNumber: z.string(),
          bik: z.string(),
          purpose: z.string(),
        })
        .optional(),
      expiresAt: z.iso.datetime(),
    })
    .nullable(),
  createdAt: z.iso.datetime(),
});

const DAY_MS = 86_400_000;

describe('POST /investment/participations', () => {
  it('invests from the balance at once: it runs, its money is booked once, and it is announced', async () => {
    const ada = await investor(world);
    const strategy = await make.strategy(world.db, { returnBp: { min: 600, max: 1_000, expected: 800 } });
    const { status, body } = await ada.invest(strategy.id, { amount: 1_000, durationDays: 90 });
    expect(status).toBe(201);
    const opened = OpenedShape.parse(body.data);
    expect(opened).toMatchObject({
      strategyId: strategy.id,
      strategyName: strategy.name,
      ...{ amount: 1_000, currency: 'USD', durationDays: 90, status: 'ACTIVE', payment: null },
      // 1,000 × 8 % × 90 / 365 = 19.726…
      expectedReturn: { min: 14.79, max: 24.66, expected: 19.73 },
    });
    expect(Date.parse(opened.maturityDate) - Date.parse(opened.createdAt)).toBe(90 * DAY_MS);
    expect(await participationState(world.db, opened.participationId)).toEqual({
      ...{ status: 'ACTIVE', paymentStatus: 'PAID', amountMinor: 1_000_00, earnedMinor: 0 },
      transactions: ['DEPOSIT 100000'],
      ledger: [
        expect.stringMatching(/^clearing_provider_\S+ -100000$/),
        ...['wallet -100000', 'clearing_bank 100000', 'investments 100000'],
      ],
      mails: ['started'],
      events: ['investment.created'],
    });
    expect(await walletMinor(world.db, ada.id)).toBe(49_000_00);
    const described = await world.temporal.workflow
      .getHandle(`participation:${opened.participationId}`)
      .describe();
    expect(described.status.name).toBe('RUNNING');
    expect(await described.staticSummary()).toMatch(
      /^INV-\d{4}-\d{8} · 1000\.00 USD · Strategy .* · participation$/,
    );
  });

  it('keeps the terms of the strategy as they are now', async () => {
    const ada = await investor(world);
    const strategy = await make.strategy(world.db, { earlyWithdrawalPenaltyBp: 1_000, lockDays: 30 });
    const { body } = await ada.invest(strategy.id);
    await execute(
      world.db,
      `UPDATE investment_strategies SET return_expected_bp = return_min_bp, lock_days = 300,
         early_withdrawal_penalty_bp = 9000 WHERE id = $1`,
      [strategy.id],
    );
    const kept = await firstRow(
      world.db,
      'SELECT return_expected_bp, lock_days, early_withdrawal_penalty_bp FROM participations WHERE id = $1',
      [body.data.participationId],
    );
    expect(kept).toEqual({ returnExpectedBp: 800, lockDays: 30, earlyWithdrawalPenaltyBp: 1_000 });
  });

  it('carries the headers of a financial limit, and of the fourth in a minute answers 429', async () => {
    const strict = await startWorld({ variables: { RATE_LIMIT_SCALE: '1' }, worker: false });
    try {
      const limited = await investor(strict);
      const answers = [];
      for (let times = 0; times < 4; times++) answers.push(await limited.invest(randomUUID()));
      expect(answers.map(({ status }) => status)).toEqual([404, 404, 404, 429]);
      expect(answers[3]!.body.error.code).toBe('RATE_LIMIT_EXCEEDED');
      for (const { headers } of answers)
        expect(headers).toMatchObject({ 'x-ratelimit-policy': 'financial', 'x-ratelimit-limit': '3' });
    } finally {
      await strict.teardown();
    }
  });
});

describe('POST /investment/participations refuses, in this order', () => {
  /** Everything is wrong at first; each line puts one thing right and names the next refusal. */
  it('each code before the next', async () => {
    const { db } = world;
    const bob = await investor(world, { kycLevel: 'BASIC', walletMinor: 0 });
    const strategy = await make.strategy(db, {
      ...{ status: 'PAUSED', minMinor: 100_00, maxMinor: 5_000_00, days: { min: 30, max: 365 } },
      ...{ totalCapacityMinor: 10_00, compoundingAvailable: false, automaticReinvestment: false },
    });
    const asked: InvestmentOptions = {
      ...{ amount: 0.001, currency: 'EUR', durationDays: 7, acceptTerms: false, acceptRiskDisclosure: false },
      options: { compounding: true, autoReinvest: true },
    };
    let strategyId: string = randomUUID();
    const refused = async (): Promise<string> => {
      const { status, body } = await bob.invest(strategyId, asked);
      return [status, body.error.code, body.error.reason].filter((part) => part !== undefined).join(' ');
    };
    const set = (columns: string): Promise<number> =>
      execute(db, `UPDATE investment_strategies SET ${columns} WHERE id = $1`, [strategy.id]);

    expect(await refused()).toBe('400 VALIDATION_ERROR');
    asked.amount = 6_000;
    expect(await refused()).toBe('400 TERMS_NOT_ACCEPTED');
    asked.acceptTerms = true;
    expect(await refused()).toBe('400 TERMS_NOT_ACCEPTED');
    Object.assign(asked, { acceptTerms: false, acceptRiskDisclosure: true });
    expect(await refused()).toBe('400 TERMS_NOT_ACCEPTED');
    asked.acceptTerms = true;
    expect(await refused()).toBe('404 STRATEGY_NOT_FOUND');
    strategyId = strategy.id;
    expect(await refused()).toBe('400 VALIDATION_ERROR CURRENCY_NOT_OFFERED');
    asked.currency = 'USD';
    expect(await refused()).toBe('400 VALIDATION_ERROR COMPOUNDING_NOT_AVAILABLE');
    asked.options = { autoReinvest: true };
    expect(await refused()).toBe('400 VALIDATION_ERROR REINVESTMENT_NOT_AVAILABLE');
    asked.options = {};
    expect(await refused()).toBe('400 STRATEGY_NOT_ACTIVE');
    await set(`status = 'CLOSED'`);
    expect(await refused()).toBe('400 STRATEGY_NOT_ACTIVE');
    await set(`status = 'ACTIVE'`);
    const provider = (to: boolean): Promise<number> =>
      execute(db, 'UPDATE investment_providers SET is_active = $2 WHERE code = $1', [
        strategy.providerCode,
        to,
      ]);
    await provider(false);
    expect(await refused()).toBe('400 STRATEGY_NOT_ACTIVE');
    await provider(true);
    expect(await refused()).toBe('400 AMOUNT_ABOVE_MAXIMUM');
    asked.amount = 99.99;
    expect(await refused()).toBe('400 AMOUNT_BELOW_MINIMUM');
    asked.amount = 100;
    expect(await refused()).toBe('400 DURATION_INVALID');
    asked.durationDays = 366;
    expect(await refused()).toBe('400 DURATION_INVALID');
    asked.durationDays = 365;
    expect(await refused()).toBe('403 KYC_REQUIRED');
    await make.verified(db, bob.id);
    await execute(db, `UPDATE users SET kyc_level = 'STANDARD', kyc_status = 'APPROVED' WHERE id = $1`, [
      bob.id,
    ]);
    expect(await refused()).toBe('400 STRATEGY_CAPACITY_REACHED');
    await set('total_capacity_minor = 10000');
    expect(await refused()).toBe('400 INSUFFICIENT_BALANCE');
    const untouched = await firstRow(db, 'SELECT reserved_minor FROM investment_strategies WHERE id = $1', [
      strategy.id,
    ]);
    expect(untouched).toEqual({ reservedMinor: 0 });
    expect(await firstRow(db, 'SELECT 1 FROM participations WHERE user_id = $1', [bob.id])).toBeNull();
    await make.money(db, bob.id, 100_00);
    expect((await bob.invest(strategyId, asked)).status).toBe(201);
    await pause(1_000); // The server's list is a moment late.
    // Only the last four refusals needed the process.
    const { count } = await world.temporal.workflow.count(
      `WorkflowType = 'participation' AND UserId = '${bob.id}' AND ExecutionStatus = 'Completed'`,
    );
    expect(count).toBe(3);
  });

  it.each([
    [{ amount: 0 }, 'AMOUNT_BELOW_MINIMUM'],
    [{ amount: -100 }, 'AMOUNT_BELOW_MINIMUM'],
    [{ amount: 1_000_000_000.01 }, 'AMOUNT_ABOVE_MAXIMUM'],
    [{ amount: 5e12 }, 'AMOUNT_ABOVE_MAXIMUM'],
    [{ durationDays: 0 }, 'DURATION_INVALID'],
    [{ durationDays: -1 }, 'DURATION_INVALID'],
    [{ durationDays: 40_000 }, 'DURATION_INVALID'],
    [{ durationDays: Number.MAX_SAFE_INTEGER }, 'DURATION_INVALID'],
  ])('%j of a strategy without a largest amount: %s', async (asked, code) => {
    const ada = await investor(world);
    const { id } = await make.strategy(world.db, { maxMinor: null });
    const { status, body } = await ada.invest(id, asked);
    expect([status, body.error.code]).toEqual([400, code]);
  });

  it.each([
    ['an amount with three decimals', { amount: 100.001 }, 'amount'],
    ['an amount that no number holds exactly', { amount: 9e15 }, 'amount'],
    ['an amount beyond all numbers', { amount: 1e300 }, 'amount'],
    ['an amount as text', { amount: '100' }, 'amount'],
    ['a fraction of a currency that has none', { amount: 100.5, currency: 'JPY' }, 'amount'],
    ['a currency that is no code', { currency: 'usd' }, 'currency'],
    ['a half day', { durationDays: 30.5 }, 'durationDays'],
    ['a wallet of another company', { paymentMethod: 'EWALLET' as 'CARD' }, 'paymentMethod'],
    ['an acceptance as text', { acceptTerms: 'true' }, 'acceptTerms'],
    ['no acceptance', { acceptRiskDisclosure: undefined }, 'acceptRiskDisclosure'],
  ])('%s: VALIDATION_ERROR', async (_, asked, field) => {
    const ada = await investor(world);
    const { id } = await make.strategy(world.db);
    const { status, body } = await ada.invest(id, asked);
    expect([status, body.error.code]).toEqual([400, 'VALIDATION_ERROR']);
    expect(Object.keys(body.error.details)).toContain(field);
  });
});
