import { randomUUID } from 'node:crypto';
import type { Response } from 'supertest';
import { v7 } from 'uuid';
import { firstRow, rows, type Db } from '../../../../db/sql/query';
import type { World } from '../../worlds/world';
import { make } from '../make';
import { insert, nextNumber } from '../make/insert';
import { user } from '../make/people';
import { signIn } from '../sign-in';

/** The amount of a built top-up. */
export const TOP_UP_MINOR = 100_00;

/** A top-up that waits for its payment, without a process and without an attempt; by default of a new user. */
export async function topUp(
  db: Db,
  { userId }: { userId?: string } = {},
): Promise<{ id: string; number: string; userId: string }> {
  const at = new Date();
  const made = {
    id: v7(),
    number: `TOP-2025-${String(nextNumber()).padStart(8, '0')}`,
    userId: userId ?? (await user(db)).id,
  };
  await insert(db, 'top_ups', {
    ...{ id: made.id, number: made.number, user_id: made.userId },
    ...{ status: 'PENDING_PAYMENT', amount_minor: TOP_UP_MINOR, currency: 'USD' },
    ...{ payment_method: 'BANK_TRANSFER', payment_status: 'PENDING' },
    payment_expires_at: new Date(at.getTime() + 72 * 3_600_000),
    ...{ created_at: at, updated_at: at },
  });
  return made;
}

/** A signed-in person who tops up their wallet. */
export interface Payer {
  id: string;
  email: string;
  token: string;
  /** 100 USD by card, unless said otherwise. */
  topUp: (body?: object, key?: string) => Promise<Response>;
  /** Asks under /users/me/balance. */
  get: (path: string) => Promise<Response>;
  cancel: (id: string, key?: string) => Promise<Response>;
}

/** A new person with a token. */
export async function payer(
  { db, http }: Pick<World, 'db' | 'http'>,
  person: Parameters<typeof make.user>[1] = {},
): Promise<Payer> {
  const { id, email } = await make.user(db, person);
  const token = await signIn({ db }, { id });
  const base = '/api/v1/users/me/balance';
  const post = (path: string, body: object, key: string) =>
    http
      .post(base + path)
      .auth(token, { type: 'bearer' })
      .set('idempotency-key', key)
      .send(body);
  return {
    ...{ id, email, token },
    topUp: (body = {}, key = randomUUID()) =>
      post('/top-up', { amount: TOP_UP_MINOR / 100, paymentMethod: 'CARD', ...body }, key),
    get: (path) => http.get(base + path).auth(token, { type: 'bearer' }),
    cancel: (topUpId, key = randomUUID()) => post(`/top-ups/${topUpId}/cancel`, {}, key),
  };
}

/** The top-ups of a user and all that they left: attempts, refunds, chargebacks, ledger, wallet and mails. */
export async function topUpState(db: Db, userId: string) {
  const texts = (text: string): Promise<string[]> =>
    rows<{ text: string }>(db, text, [userId]).then((found) => found.map((one) => one.text));
  const wallet = await firstRow<{ minor: number }>(
    db,
    `SELECT balance_minor AS minor FROM ledger_balances WHERE user_id = $1 AND account = 'wallet' AND currency = 'USD'`,
    [userId],
  );
  const mine = 'IN (SELECT id FROM top_ups WHERE user_id = $1)';
  return {
    topUps: await texts(
      `SELECT status || ' ' || payment_status AS text FROM top_ups WHERE user_id = $1 ORDER BY created_at, id`,
    ),
    attempts: await texts(
      `SELECT method || ' ' || status AS text FROM payment_attempts WHERE top_up_id ${mine} ORDER BY created_at, sequence`,
    ),
    refunds: await texts(
      `SELECT reason || ' ' || amount_minor || ' ' || status AS text FROM payment_refunds WHERE top_up_id ${mine} ORDER BY id`,
    ),
    chargebacks: await texts(
      `SELECT amount_minor || ' ' || status AS text FROM chargebacks WHERE top_up_id ${mine} ORDER BY id`,
    ),
    ledger: await texts(
      `SELECT e.account || ' ' || e.amount_minor AS text FROM ledger_entries e
         JOIN ledger_transfers t ON t.id = e.transfer_id JOIN top_ups u ON starts_with(t.kind, 'top-up') AND t.subject_id = u.id::text
       WHERE u.user_id = $1 ORDER BY t.created_at, t.id, e.amount_minor`,
    ),
    walletMinor: wallet?.minor ?? 0,
    mails: await texts(
      `SELECT split_part(reference, ':', 3) AS text FROM outbox_messages
       WHERE recipient = (SELECT email FROM users WHERE id = $1) AND reference LIKE 'top-up:%' ORDER BY created_at, id`,
    ),
  };
}
