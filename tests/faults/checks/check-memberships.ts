import { rows, type Db } from '../../../db/sql/query';
import type { ClientLog } from '../requests/client-log';

/**
 * Compares memberships with what newcomers were answered: who was answered as joining has a partner or an entrance fee, who
 * was told to be one already has a partner, nobody has two fees that count, and no money that was paid for one is lost.
 */
export async function untrueMemberships(db: Db, log: ClientLog): Promise<string[]> {
  const joined = log.of('join');
  const found = await rows<{ userId: string; isPartner: boolean; asked: number; counting: number }>(
    db,
    `SELECT u.id AS user_id, EXISTS (SELECT 1 FROM partners p WHERE p.user_id = u.id) AS is_partner,
       (SELECT count(*)::int FROM partner_entrances f WHERE f.user_id = u.id) AS asked,
       (SELECT count(*)::int FROM partner_entrances f WHERE f.user_id = u.id AND f.status <> 'CANCELLED') AS counting
     FROM users u WHERE u.id = ANY ($1::uuid[])`,
    [joined.map(({ userId }) => userId)],
  );
  const by = new Map(found.map((one) => [one.userId, one]));
  const lost = await rows<{ id: string }>(
    db,
    `SELECT s.id FROM sandbox_payments s JOIN payment_attempts a ON a.id = s.payment_key
     WHERE a.entrance_id IS NOT NULL AND s.status = 'PAID'
       AND NOT EXISTS (SELECT 1 FROM payment_captures c WHERE c.attempt_id = a.id AND c.provider_payment_id = s.id::text)`,
  );
  return [
    ...joined.flatMap(({ userId, outcome, code }) => {
      const { isPartner = false, asked = 0 } = by.get(userId) ?? {};
      if (outcome === 'ok' && !isPartner && asked === 0)
        return [`${userId} was answered as joining; nothing is there`];
      if (code === 'ALREADY_PARTNER' && !isPartner)
        return [`${userId} was refused as a partner, and is none`];
      return [];
    }),
    ...found
      .filter(({ counting }) => counting > 1)
      .map(({ userId, counting }) => `${userId} has ${counting} entrance fees that count`),
    ...lost.map(({ id }) => `the payment ${id} of an entrance fee was never captured`),
  ];
}
