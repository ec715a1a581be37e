import { takeBatch } from '../../../activities/partners/commission/take-events';
import { policyFrom } from '../../../db/policy/config';
import { rows, type Db } from '../../../db/sql/query';

/** Takes every event of the partner programme that is due, as the engine does, without a worker. Fails if one cannot be taken. */
export async function takeAllEvents(db: Db): Promise<number> {
  const result = { taken: 0, failed: 0, parked: 0, isRetired: false };
  const deps = { db, policy: policyFrom({}), start: () => Promise.resolve('started' as const) };
  while ((await takeBatch(deps, { engines: 1, engine: 0 }, result)) > 0);
  const failed = await rows<{ type: string; lastError: string }>(
    db,
    'SELECT type, last_error FROM domain_events WHERE taken_at IS NULL AND attempts > 0',
  );
  if (failed.length > 0) throw new Error(`Not taken: ${JSON.stringify(failed)}`);
  return result.taken;
}
