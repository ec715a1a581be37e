import { randomUUID } from 'node:crypto';
import type { Response } from 'supertest';
import { execute, rows } from '../../../../db/sql/query';
import { make } from '../../../support/builders/make';
import { signIn } from '../../../support/builders/sign-in';
import {
  CARD,
  IBAN,
  investor,
  moneyOf,
  REFUSING_CARD,
  sandboxTransfersOf,
  SILENT_CARD,
  type Investor,
} from '../../../support/builders/investing/withdrawing';
import { eventually } from '../../../support/checks/eventually';
import { mailsTo } from '../../../support/checks/mail';
import { ownCheckedWorld } from '../../../support/worlds/world';
import { outcomeOf } from '../../admin/admin-world';

const world = ownCheckedWorld();

const toBalance = { withdrawalMethod: 'BALANCE' };
const toCard = (cardNumber: string) => ({ withdrawalMethod: 'BANK_CARD', details: { cardNumber } });
const endsAs = (one: Investor, expected: object): Promise<void> =>
  eventually(async () => expect(await moneyOf(world.db, one.user.id)).toMatchObject(expected));
const resultOf = ({ body }: Response): Promise<unknown> =>
  world.temporal.workflow.getHandle(`withdrawal:${body.data.withdrawalId}`).result();
const subjectsTo = async ({ user, participation: { number } }: Investor): Promise<string[]> =>
  (await mailsTo(world.db, user.email)).map(({ subject }) => subject.replace(number, 'INV'));
const lastsLongAgo = (one: Investor): Promise<number> =>
  execute(world.db, `UPDATE sessions SET created_at = now() - interval '1 hour' WHERE user_id = $1`, [
    one.user.id,
  ]);

describe('200', () => {
  test('BALANCE: principal, returns and penalty; the money is there at once', async () => {
    const one = await investor(world, { strategy: { lockDays: 30 }, profits: [{ amountMinor: 25_00 }] });
    const answer = await one.withdraw({ ...toBalance, acceptPenalty: true });
    expect(answer.status).toBe(200);
    expect(answer.body.data).toEqual({
      participationId: one.participation.id,
      withdrawalId: expect.any(String),
      status: 'PROCESSING',
      amounts: { principal: 1_000, earnedReturns: 25, penalty: 100, netAmount: 925, currency: 'USD' },
      estimatedCompletion: new Date().toISOString().slice(0, 10),
      message: 'The money is on your balance.',
    });
    expect(answer.headers['x-ratelimit-policy']).toBe('financial');
    expect(await moneyOf(world.db, one.user.id)).toEqual({
      walletMinor: 925_00,
      participation: 'WITHDRAWN',
      withdrawals: ['COMPLETED 92500'],
    });
    expect(await resultOf(answer)).toBe('COMPLETED');
    expect(await subjectsTo(one)).toEqual(['Withdrawal paid to your balance: INV']);
  });

  test('to a card that was entered: it arrives, once, and no number is kept readable', async () => {
    const one = await investor(world);
    const answer = await one.withdraw(toCard('4242 4242 4242 4242'));
    expect(answer.body.data).toMatchObject({
      amounts: { penalty: null, netAmount: 1_000 },
      message: 'We are sending the money to •••• 4242.',
    });
    expect(answer.body.data.estimatedCompletion > new Date().toISOString().slice(0, 10)).toBe(true);
    expect(await resultOf(answer)).toBe('COMPLETED');
    expect(await moneyOf(world.db, one.user.id)).toMatchObject({
      walletMinor: 0,
      withdrawals: ['COMPLETED 100000'],
    });
    expect(await sandboxTransfersOf(world.db, one.user.id)).toEqual([{ transfer: 'ARRIVED 100000' }]);
    expect(await subjectsTo(one)).toEqual(['Withdrawal requested: INV', 'Withdrawal sent: INV']);
    const written = await rows<{ row: string }>(
      world.db,
      `SELECT row_to_json(n)::text AS row FROM request_notes n UNION ALL
       SELECT row_to_json(w)::text FROM investment_withdrawals w UNION ALL
       SELECT row_to_json(k)::text FROM idempotency_keys k`,
    );
    expect(written.filter(({ row }) => row.includes(CARD))).toEqual([]);
    const process = world.temporal.workflow.getHandle(`withdrawal:${answer.body.data.withdrawalId}`);
    expect(JSON.stringify((await process.fetchHistory()).events)).not.toContain(
      Buffer.from(CARD).toString('base64').slice(0, 12),
    );
    expect(
      await rows(world.db, 'SELECT 1 FROM request_notes WHERE actor_id = $1 AND text IS NOT NULL', [
        one.user.id,
      ]),
    ).toEqual([]);
  });

  test('to the saved payout details, also from a session that was opened long ago', async () => {
    const one = await investor(world);
    await world.http
      .patch('/api/v1/users/me')
      .auth(one.token, { type: 'bearer' })
      .send({ payoutDetails: { method: 'BANK_TRANSFER', accountHolder: 'Ada Lovelace', iban: IBAN } });
    await lastsLongAgo(one);
    const toSaved = { withdrawalMethod: 'BANK_TRANSFER', useSavedDetails: true };
    const both = await one.withdraw({ ...toSaved, details: { accountNumber: IBAN } });
    expect(outcomeOf(both)).toBe('400 VALIDATION_ERROR');
    expect(both.body.error.details).toEqual({ details: ['exclude useSavedDetails'] });
    const answer = await one.withdraw({ ...toSaved, details: null });
    expect(answer.body.data.message).toBe('We are sending the money to •••• 3000.');
    await endsAs(one, { withdrawals: ['COMPLETED 100000'] });
  });

  test('a transfer that is refused goes to the balance', async () => {
    const one = await investor(world);
    const answer = await one.withdraw(toCard(REFUSING_CARD));
    expect(outcomeOf(answer)).toBe('200');
    expect(await resultOf(answer)).toBe('CREDITED');
    expect(await moneyOf(world.db, one.user.id)).toMatchObject({
      walletMinor: 1_000_00,
      withdrawals: ['CREDITED 100000'],
    });
    expect(await subjectsTo(one)).toEqual([
      'Withdrawal requested: INV',
      'Withdrawal paid to your balance instead: INV',
    ]);
  });

  test('a lost answer is looked up, and the money is sent once', async () => {
    const one = await investor(world);
    expect(await resultOf(await one.withdraw(toCard(SILENT_CARD)))).toBe('COMPLETED');
    expect(await sandboxTransfersOf(world.db, one.user.id)).toEqual([{ transfer: 'ARRIVED 100000' }]);
  });

  test('after a loss of all of it, nothing is sent', async () => {
    const one = await investor(world, { profits: [{ amountMinor: -1_000_00 }] });
    const answer = await one.withdraw(toCard(CARD));
    expect(answer.body.data).toMatchObject({
      amounts: { earnedReturns: -1_000, netAmount: 0 },
      message: 'The participation is withdrawn, and nothing is left to pay out.',
    });
    expect(await moneyOf(world.db, one.user.id)).toMatchObject({
      walletMinor: 0,
      withdrawals: ['COMPLETED 0'],
    });
    expect(await sandboxTransfersOf(world.db, one.user.id)).toEqual([]);
  });

  test('eight at once pay once', async () => {
    const one = await investor(world);
    const answers = await Promise.all(Array.from({ length: 8 }, () => one.withdraw(toBalance)));
    expect(answers.map(outcomeOf).sort()).toEqual(['200', ...Array(7).fill('400 ALREADY_WITHDRAWN')]);
    expect(await moneyOf(world.db, one.user.id)).toMatchObject({ walletMinor: 1_000_00 });
  });

  test('under its key it is answered as the first time, also eight times at once', async () => {
    const one = await investor(world);
    const key = randomUUID();
    const answers = await Promise.all(Array.from({ length: 8 }, () => one.withdraw(toCard(CARD), { key })));
    const accepted = answers.filter(({ status }) => status === 200);
    expect(accepted.length).toBeGreaterThan(0);
    const again = await one.withdraw(toCard(CARD), { key });
    for (const answer of accepted) expect(answer.body.data).toEqual(again.body.data);
    await endsAs(one, { walletMinor: 0, withdrawals: ['COMPLETED 100000'] });
  });
});

describe('refused', () => {
  test.each([
    ['no method', {}, 'withdrawalMethod'],
    ['another method', { withdrawalMethod: 'CASH' }, 'withdrawalMethod'],
    ['a card number with a wrong digit', toCard('4242424242424241'), 'details.cardNumber'],
    ['a card number of letters', toCard('4242x'), 'details.cardNumber'],
    ['a card without its number', { withdrawalMethod: 'BANK_CARD', details: {} }, 'details.cardNumber'],
    ['no account', { withdrawalMethod: 'BANK_TRANSFER', details: {} }, 'details.accountNumber'],
    [
      'an IBAN with a wrong digit',
      { withdrawalMethod: 'BANK_TRANSFER', details: { accountNumber: 'DE89370400440532013001' } },
      'details.accountNumber',
    ],
    [
      'an account without its bank',
      { withdrawalMethod: 'BANK_TRANSFER', details: { accountNumber: '40817810099910004312' } },
      'details.bankBik',
    ],
    ['saved details and others at once', { ...toCard(CARD), useSavedDetails: true }, 'details'],
  ])('VALIDATION_ERROR: %s', async (_what, body, field) => {
    const one = await investor(world);
    const answer = await one.withdraw(body);
    expect(outcomeOf(answer)).toBe('400 VALIDATION_ERROR');
    expect(Object.keys(answer.body.error.details as object)).toEqual([field]);
  });

  test('VALIDATION_ERROR: details that are not there, or do not fit the method', async () => {
    const one = await investor(world);
    for (const body of [
      { withdrawalMethod: 'BANK_CARD' },
      { withdrawalMethod: 'BANK_CARD', useSavedDetails: false },
      { withdrawalMethod: 'BANK_CARD', useSavedDetails: true },
    ]) {
      const answer = await one.withdraw(body);
      expect(outcomeOf(answer)).toBe('400 VALIDATION_ERROR');
      expect(answer.body.error.reason).toBe('WITHDRAWAL_DETAILS_MISSING');
    }
    expect(await moneyOf(world.db, one.user.id)).toMatchObject({ participation: 'ACTIVE', withdrawals: [] });
  });

  test('VALIDATION_ERROR: new details from a session that was opened long ago', async () => {
    const one = await investor(world);
    await lastsLongAgo(one);
    const answer = await one.withdraw(toCard(CARD));
    expect(outcomeOf(answer)).toBe('400 VALIDATION_ERROR');
    expect(answer.body.error.reason).toBe('SIGN_IN_NOT_RECENT');
    expect(outcomeOf(await one.withdraw(toBalance))).toBe('200');
  });

  test('PARTICIPATION_NOT_FOUND: an unknown one, and another user’s', async () => {
    const one = await investor(world);
    const other = await signIn(world, await make.user(world.db, { kycLevel: 'STANDARD' }));
    expect(outcomeOf(await one.withdraw(toBalance, { token: other }))).toBe('404 PARTICIPATION_NOT_FOUND');
    one.participation.id = randomUUID();
    expect(outcomeOf(await one.withdraw(toBalance))).toBe('404 PARTICIPATION_NOT_FOUND');
  });

  const needsStandard = { user: { kycLevel: 'BASIC' } } as const;
  const locked = { lockDays: 30, earlyWithdrawalPenaltyBp: null };
  test.each([
    ['400 ALREADY_WITHDRAWN', { ...needsStandard, status: 'WITHDRAWN' }],
    ['400 ALREADY_MATURED', { ...needsStandard, status: 'MATURED' }],
    ['403 KYC_REQUIRED', { ...needsStandard, strategy: { earlyWithdrawalAllowed: false } }],
    ['400 WITHDRAWAL_NOT_ALLOWED', { strategy: { ...locked, earlyWithdrawalAllowed: false } }],
    ['400 WITHDRAWAL_NOT_ALLOWED', { status: 'PENDING_PAYMENT' }],
    ['400 WITHDRAWAL_NOT_ALLOWED', { status: 'CANCELLED' }],
    ['400 LOCK_PERIOD_ACTIVE', { strategy: locked }],
    ['400 PENALTY_NOT_ACCEPTED', { strategy: { lockDays: 30 } }],
  ] as const)('%s', async (outcome, options) => {
    const one = await investor(world, options);
    const before = await moneyOf(world.db, one.user.id);
    expect(outcomeOf(await one.withdraw({ ...toBalance, acceptPenalty: false }))).toBe(outcome);
    expect(await moneyOf(world.db, one.user.id)).toEqual(before);
  });
});
