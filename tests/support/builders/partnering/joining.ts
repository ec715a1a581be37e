import { randomUUID } from 'node:crypto';
import type { Response } from 'supertest';
import { execute, firstRow, rows, type Db } from '../../../../db/sql/query';
import type { World } from '../../worlds/world';
import { make } from '../make';
import { signIn } from '../sign-in';

/** A signed-in person who may join the partner programme. */
export interface Joiner {
  id: string;
  token: string;
  join: (body?: object, key?: string) => Promise<Response>;
}

/** A new person; `sponsorId`: the partner who referred them. */
export async function joiner(
  { db, http }: Pick<World, 'db' | 'http'>,
  { sponsorId = null, walletMinor = 0 }: { sponsorId?: string | null; walletMinor?: number } = {},
): Promise<Joiner> {
  const user = await make.user(db);
  if (sponsorId !== null)
    await execute(db, 'UPDATE users SET sponsor_id = $2 WHERE id = $1', [user.id, sponsorId]);
  if (walletMinor > 0) await make.money(db, user.id, walletMinor);
  const token = await signIn({ db }, user);
  return {
    id: user.id,
    token,
    join: (body = {}, key = randomUUID()) =>
      http
        .post('/api/v1/mlm/partner/join')
        .auth(token, { type: 'bearer' })
        .set('idempotency-key', key)
        .send({ acceptTerms: true, ...body }),
  };
}

/** The membership of a user and all that joining left: entrance fees, attempts, refunds, ledger, mails and events. */
export async function membershipState(db: Db, userId: string) {
  const texts = (text: string): Promise<string[]> =>
    rows<{ text: string }>(db, text, [userId]).then((found) => found.map((one) => one.text));
  const partner = await firstRow<{ status: string }>(db, 'SELECT status FROM partners WHERE user_id = $1', [
    userId,
  ]);
  const mine = 'IN (SELECT id FROM partner_entrances WHERE user_id = $1)';
  return {
    partner: partner?.status ?? null,
    entrances: await texts(
      `SELECT status || ' ' || payment_status AS text FROM partner_entrances WHERE user_id = $1 ORDER BY created_at, id`,
    ),
    attempts: await texts(
      `SELECT method || ' ' || status AS text FROM payment_attempts WHERE entrance_id ${mine} ORDER BY created_at, sequence`,
    ),
    refunds: await texts(
      `SELECT reason || ' ' || amount_minor || ' ' || status AS text FROM payment_refunds WHERE entrance_id ${mine} ORDER BY id`,
    ),
    ledger: await texts(
      `SELECT e.account || ' ' || e.amount_minor AS text FROM ledger_entries e
         JOIN ledger_transfers t ON t.id = e.transfer_id JOIN partner_entrances f ON t.kind = 'entrance' AND t.subject_id = f.id::text
       WHERE f.user_id = $1 ORDER BY e.amount_minor`,
    ),
    events: await texts(
      `SELECT type AS text FROM domain_events WHERE data->>'userId' = $1 AND type IN ('partner.joined', 'entrance.paid')
       ORDER BY type`,
    ),
    mails: await texts(
      `SELECT regexp_replace(reference, '^.*:', '') AS text FROM outbox_messages
       WHERE recipient = (SELECT email FROM users WHERE id = $1) AND reference ~ '^(partner|entrance):' ORDER BY created_at, id`,
    ),
  };
}
