import { rows, type Db } from '../../../db/sql/query';
import type { ClientLog } from '../requests/client-log';

/**
 * Compares participations with what their owners were answered: one for each investment answered as made, none for one that
 * was refused, and no others than were requested; one withdrawal for each that was answered as done. No report is lost.
 */
export async function untrueParticipations(db: Db, log: ClientLog): Promise<string[]> {
  const [invested, withdrawn] = [log.of('invest'), log.of('withdraw')];
  const made = await rows<{ id: string; key: string; withdrawals: number }>(
    db,
    `SELECT p.id, k.key, (SELECT count(*)::int FROM investment_withdrawals w WHERE w.participation_id = p.id) AS withdrawals
       FROM idempotency_keys k JOIN participations p ON p.id::text = k.minted ->> 'participation'
      WHERE k.key = ANY ($1::text[])`,
    [invested.flatMap(({ key }) => key ?? [])],
  );
  const strange = await rows<{ id: string }>(
    db,
    `SELECT p.id FROM participations p WHERE p.user_id = ANY ($1::uuid[]) AND p.origin = 'PLATFORM'
       AND NOT EXISTS (SELECT 1 FROM idempotency_keys k WHERE k.minted ->> 'participation' = p.id::text)`,
    [invested.map(({ userId }) => userId)],
  );
  const withdrawals = await rows<{ key: string }>(
    db,
    `SELECT k.key FROM idempotency_keys k JOIN investment_withdrawals w ON w.id::text = k.minted ->> 'withdrawal'
      WHERE k.key = ANY ($1::text[])`,
    [withdrawn.flatMap(({ key }) => key ?? [])],
  );
  const [madeKeys, paidKeys] = [made, withdrawals].map((found) => new Set(found.map(({ key }) => key)));
  const untrue = (entries: typeof invested, keys: Set<string> | undefined, what: string): string[] =>
    entries.flatMap(({ key, outcome }) =>
      outcome !== 'unknown' && (outcome === 'ok') !== keys?.has(key ?? '')
        ? [`${what} ${key} was answered ${outcome}; it is ${keys?.has(key ?? '') ? '' : 'not '}there`]
        : [],
    );
  return [
    ...untrue(invested, madeKeys, 'investment'),
    ...untrue(withdrawn, paidKeys, 'withdrawal'),
    ...strange.map(({ id }) => `participation ${id} was not requested`),
  ];
}
