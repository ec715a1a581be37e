import { randomUUID } from 'node:crypto';
import type { Response } from 'supertest';
import { firstRow, rows, type Db } from '../../../../db/sql/query';
import type { World } from '../../worlds/world';
import { make } from '../make';
import { signIn } from '../sign-in';

/** Fields of an investment that differ from the usual ones. */
export type InvestmentOptions = Partial<{
  amount: unknown;
  currency: unknown;
  durationDays: unknown;
  options: unknown;
  paymentMethod: 'CARD' | 'BANK_TRANSFER' | 'BALANCE';
  acceptRiskDisclosure: unknown;
  acceptTerms: unknown;
}>;

/** A signed-in person who may invest. */
export interface Investor {
  id: string;
  email: string;
  token: string;
  /** 1,000 USD for 90 days from the balance, unless said otherwise. */
  invest: (strategyId: string, options?: InvestmentOptions, key?: string) => Promise<Response>;
}

interface InvestorOptions {
  kycLevel?: 'NONE' | 'BASIC' | 'STANDARD' | 'ENHANCED';
  walletMinor?: number;
}

/** A new investor of level STANDARD with 50,000 USD. */
export async function investor(
  { db, http }: Pick<World, 'db' | 'http'>,
  { kycLevel = 'STANDARD', walletMinor = 50_000_00 }: InvestorOptions = {},
): Promise<Investor> {
  const user = await make.user(db, { kycLevel });
  if (walletMinor > 0) await make.money(db, user.id, walletMinor);
  const token = await signIn({ db }, user);
  return {
    id: user.id,
    email: user.email,
    token,
    invest: (strategyId, options = {}, key = randomUUID()) =>
      http
        .post('/api/v1/investment/participations')
        .auth(token, { type: 'bearer' })
        .set('idempotency-key', key)
        .send(investmentIn(strategyId, options)),
  };
}

/** The body of an investment. */
export const investmentIn = (strategyId: string, options: InvestmentOptions = {}) => ({
  strategyId,
  amount: 1_000,
  durationDays: 90,
  paymentMethod: 'BALANCE',
  acceptRiskDisclosure: true,
  acceptTerms: true,
  ...options,
});

/** Everything that a participation has left: its row, transactions, ledger, mails and events. */
export async function participationState(db: Db, id: string) {
  const row = await firstRow<{
    status: string;
    paymentStatus: string;
    amountMinor: number;
    earnedMinor: number;
  }>(db, 'SELECT status, payment_status, amount_minor, earned_minor FROM participations WHERE id = $1', [id]);
  const texts = (text: string): Promise<string[]> =>
    rows<{ text: string }>(db, text, [id]).then((found) => found.map((one) => one.text));
  return {
    ...row,
    transactions: await texts(
      `SELECT type || ' ' || amount_minor AS text FROM investment_transactions
       WHERE participation_id = $1 ORDER BY created_at, id`,
    ),
    ledger: await texts(
      `SELECT e.account || ' ' || e.amount_minor AS text FROM ledger_transfers t JOIN ledger_entries e ON e.transfer_id = t.id
       WHERE starts_with(t.kind, 'participation-') AND t.subject_id = $1 ORDER BY t.created_at, t.id, e.amount_minor, e.account`,
    ),
    mails: await texts(
      `SELECT split_part(reference, ':', 3) AS text FROM outbox_messages
       WHERE reference LIKE 'participation:' || $1::text || ':%' ORDER BY created_at, id`,
    ),
    events: await texts(
      `SELECT type AS text FROM domain_events WHERE entity_id = $1 ORDER BY occurred_at, id`,
    ),
  };
}

/** The wallet of a user, in minor units of USD. */
export async function walletMinor(db: Db, userId: string): Promise<number> {
  const found = await firstRow<{ balanceMinor: number }>(
    db,
    `SELECT balance_minor FROM ledger_balances WHERE user_id = $1 AND account = 'wallet' AND currency = 'USD'`,
    [userId],
  );
  return found?.balanceMinor ?? 0;
}
