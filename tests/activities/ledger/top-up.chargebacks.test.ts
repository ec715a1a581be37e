import { openMatters } from '../../../db/identity/user/open-matters.reads';
import { firstRow } from '../../../db/sql/query';
import { inTransaction } from '../../../db/sql/transaction';
import { InsufficientBalance, postTransfer } from '../../../db/ledger/ledger.transitions';
import { v7 } from 'uuid';
import { make } from '../../support/builders/make';
import { TOP_UP_MINOR, topUpState } from '../../support/builders/wallets/top-ups';
import { violations } from '../../support/checks/violations';
import { ownDatabase } from '../../support/servers/database';
import { toppingUp, type Opened } from './topping-up';

const own = ownDatabase();
const { paid, opened, reported, chargedBack } = toppingUp(own);
afterEach(async () => {
  expect(await violations(own.db)).toEqual([]);
});

const stateOf = ({ userId }: Pick<Opened, 'userId'>) => topUpState(own.db, userId);

/** Takes money out of a wallet, as a purchase does. */
const spends = ({ userId }: Pick<Opened, 'userId'>, amountMinor: number): Promise<unknown> =>
  inTransaction(own.db, (tx) =>
    postTransfer(tx, {
      reference: { kind: 'seed-wallet', subjectId: v7() },
      entries: [
        { account: 'wallet', userId, currency: 'USD', amountMinor: -amountMinor },
        { account: 'payments', currency: 'USD', amountMinor },
      ],
      at: new Date(),
    }),
  );
const toDecide = (words: string) => expect.stringContaining(words) as string;
const PAYMENT = ['clearing_sandbox -10000', 'wallet 10000'];

test('taken: the wallet gives it back at once and once; nobody has to decide', async () => {
  const made = await paid();
  const { first, again } = await chargedBack('payment.charged_back', made);
  expect([first.outcome, again.outcome]).toEqual(['APPLIED', 'WITHOUT_EFFECT']);
  expect(first).not.toHaveProperty('toDecide');
  expect(again).not.toHaveProperty('toDecide');
  expect(await stateOf(made)).toMatchObject({
    ...{ topUps: ['PAID PAID'], walletMinor: 0, chargebacks: ['10000 TAKEN'], refunds: [] },
    ...{ ledger: [...PAYMENT, 'wallet -10000', 'losses 10000'], mails: ['paid', 'taken-back'] },
  });
});

test('lost: it stays taken; returned: the wallet has it again, once', async () => {
  const [lost, won] = [await paid(), await paid()];
  for (const made of [lost, won]) await chargedBack('payment.charged_back', made);
  const answer = await chargedBack('payment.chargeback_lost', lost);
  expect(answer.first).not.toHaveProperty('toDecide');
  expect(await stateOf(lost)).toMatchObject({ walletMinor: 0, chargebacks: ['10000 LOST'] });
  for (let times = 0; times < 2; times++) await chargedBack('payment.chargeback_returned', won);
  expect(await stateOf(won)).toMatchObject({
    ...{ walletMinor: TOP_UP_MINOR, chargebacks: ['10000 RETURNED'] },
    ledger: [...PAYMENT, 'wallet -10000', 'losses 10000', 'losses -10000', 'wallet 10000'],
    mails: ['paid', 'taken-back', 'given-back'],
  });
  // Late, and old.
  await chargedBack('payment.charged_back', won);
  expect((await stateOf(won)).walletMinor).toBe(TOP_UP_MINOR);
});

test('spent meanwhile: what the wallet still holds is taken, the rest is a loss and a decision; only that much returns', async () => {
  const made = await paid();
  await spends(made, 70_00);
  const { first, again } = await chargedBack('payment.charged_back', made);
  const words = toDecide('The wallet no longer held 70.00 USD of it');
  expect(first).toMatchObject({ outcome: 'APPLIED', toDecide: words });
  // Asked for again when the answer of the try that applied it was lost.
  expect(again).toMatchObject({ outcome: 'WITHOUT_EFFECT', toDecide: words });
  expect(await stateOf(made)).toMatchObject({
    ...{ walletMinor: 0, ledger: [...PAYMENT, 'wallet -3000', 'losses 3000'] },
  });
  expect((await chargedBack('payment.chargeback_lost', made)).first).toMatchObject({
    toDecide: toDecide('100.00 USD for good'),
  });
  await chargedBack('payment.chargeback_returned', made);
  expect(await stateOf(made)).toMatchObject({ walletMinor: 30_00, chargebacks: ['10000 RETURNED'] });
});

test('all of it spent: all is a loss, no mail tells of taken money, and nothing returns to the wallet', async () => {
  const made = await paid();
  await spends(made, TOP_UP_MINOR);
  const { first } = await chargedBack('payment.charged_back', made);
  expect(first).toMatchObject({ toDecide: toDecide('The wallet no longer held 100.00 USD of it') });
  await chargedBack('payment.chargeback_returned', made);
  expect(await stateOf(made)).toMatchObject({ walletMinor: 0, ledger: PAYMENT, mails: ['paid'] });
});

test('money from elsewhere in the wallet is taken too; more than the top-up never', async () => {
  const made = await paid();
  await spends(made, 90_00);
  await make.money(own.db, made.userId, 500_00);
  await chargedBack('payment.charged_back', made);
  expect((await stateOf(made)).walletMinor).toBe(410_00);
});

test('in parts: each takes its own, and a returned one gives back its own', async () => {
  const made = await paid();
  const [one, two] = [
    { chargebackId: 'one', amountMinor: 30_00 },
    { chargebackId: 'two', amountMinor: 70_00 },
  ];
  for (const part of [one, two]) await chargedBack('payment.charged_back', made, part);
  expect((await stateOf(made)).walletMinor).toBe(0);
  await chargedBack('payment.chargeback_returned', made, one);
  expect(await stateOf(made)).toMatchObject({
    ...{ walletMinor: 30_00, chargebacks: ['3000 RETURNED', '7000 TAKEN'] },
  });
});

test('of money that paid nothing: the wallet is left alone', async () => {
  const made = await paid();
  const second = { ...made, paymentId: v7() };
  await reported('PAID', made, { paymentId: second.paymentId });
  const { first } = await chargedBack('payment.charged_back', second);
  expect(first).not.toHaveProperty('toDecide');
  expect(await stateOf(made)).toMatchObject({
    ...{ walletMinor: TOP_UP_MINOR, refunds: ['DUPLICATE_PAYMENT 10000 PROCESSING'] },
  });
  const late = await opened();
  await reported('EXPIRED', late);
  const paymentId = v7();
  await reported('PAID', late, { paymentId });
  await chargedBack('payment.charged_back', { ...late, paymentId });
  expect((await stateOf(late)).walletMinor).toBe(0);
});

test('at once with purchases from the wallet: nothing is spent twice, and the wallet is never below zero', async () => {
  for (let round = 0; round < 5; round++) {
    const made = await paid();
    const spent = await Promise.all([
      ...Array.from({ length: 8 }, () =>
        spends(made, 20_00).then(
          () => 20_00,
          (error: unknown) => {
            expect(error).toBeInstanceOf(InsufficientBalance);
            return 0;
          },
        ),
      ),
      chargedBack('payment.charged_back', made).then(() => 0),
    ]);
    const spentMinor = spent.reduce<number>((sum, one) => sum + one, 0);
    const { walletMinor, ledger } = await stateOf(made);
    const takenMinor = Number(/wallet -(\d+)/.exec(ledger.join())?.[1] ?? 0);
    expect(walletMinor).toBe(TOP_UP_MINOR - spentMinor - takenMinor);
    expect(walletMinor).toBeGreaterThanOrEqual(0);
    // What was left when the bank took it was taken.
    expect(walletMinor === 0 || takenMinor === TOP_UP_MINOR).toBe(true);
  }
});

test('an account is not erased while a dispute of its top-up is open', async () => {
  const made = await paid();
  await chargedBack('payment.charged_back', made);
  const matters = () => openMatters(own.db, made.userId, { at: new Date(), returnWindowDays: null });
  expect(await matters()).toEqual([toDecide('is disputed')]);
  await chargedBack('payment.chargeback_lost', made);
  expect(await matters()).toEqual([]);
  expect(await firstRow(own.db, 'SELECT status FROM top_ups WHERE id = $1', [made.topUpId])).toEqual({
    status: 'PAID',
  });
});
