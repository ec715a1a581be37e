import { rows, type Db } from '../../../db/sql/query';
import type { ClientLog } from '../requests/client-log';

/**
 * Compares top-ups with what their owners were answered: one for each that was answered as made, none for one that was refused,
 * and no others than were requested. No money that was paid for one is lost; it is in the wallet once or goes back.
 */
export async function untrueTopUps(db: Db, log: ClientLog): Promise<string[]> {
  const asked = log.of('topUp');
  const made = await rows<{ key: string }>(
    db,
    `SELECT k.key FROM idempotency_keys k JOIN top_ups t ON t.id::text = k.minted ->> 'top-up' WHERE k.key = ANY ($1::text[])`,
    [asked.flatMap(({ key }) => key ?? [])],
  );
  const strange = await rows<{ id: string }>(
    db,
    `SELECT t.id FROM top_ups t WHERE t.user_id = ANY ($1::uuid[])
       AND NOT EXISTS (SELECT 1 FROM idempotency_keys k WHERE k.minted ->> 'top-up' = t.id::text)`,
    [asked.map(({ userId }) => userId)],
  );
  const lost = await rows<{ id: string }>(
    db,
    `SELECT s.id FROM sandbox_payments s JOIN payment_attempts a ON a.id = s.payment_key
     WHERE a.top_up_id IS NOT NULL AND s.status = 'PAID'
       AND NOT EXISTS (SELECT 1 FROM payment_captures c WHERE c.attempt_id = a.id AND c.provider_payment_id = s.id::text)`,
  );
  const keys = new Set(made.map(({ key }) => key));
  return [
    ...asked.flatMap(({ key, outcome }) =>
      outcome !== 'unknown' && (outcome === 'ok') !== keys.has(key ?? '')
        ? [`top-up ${key} was answered ${outcome}; it is ${keys.has(key ?? '') ? '' : 'not '}there`]
        : [],
    ),
    ...strange.map(({ id }) => `top-up ${id} was not requested`),
    ...lost.map(({ id }) => `the payment ${id} of a top-up was never captured`),
  ];
}
