import { overdueEntrances } from '../../../db/partners/membership/entrance.reads';
import type { Db } from '../../../db/sql/query';
import { entranceProcess } from '../../../workflows/partners/membership/entrance.contract';
import type { PartnerSweepActivities } from '../../../workflows/partners/sweep/partner-sweep.contract';
import { startConsumers, startFailures } from '../../administration/domain-event/start-forgotten';
import { inBatches } from '../../commerce/webhook/in-batches';
import type { StartProcess } from '../../commerce/webhook/webhook-sweep.activities';

/** Entrance fees that are due for less are skipped: their processes are about to cancel them. */
const ENTRANCE_GRACE_MS = 10 * 60_000;
const BATCH = 200;

/** The safety net under the consumers of events, the events that they could not apply, and entrance fees. */
export const partnerSweepActivities = ({
  db,
  start,
}: {
  db: Db;
  start: StartProcess;
}): PartnerSweepActivities => ({
  startEventConsumers: () => startConsumers(start),

  startEventFailures: ({ at }) => startFailures({ db, start }, at),

  async startForgottenEntrances({ at, after }) {
    const before = new Date(Date.parse(at) - ENTRANCE_GRACE_MS);
    const overdue = await overdueEntrances(db, { before, after, limit: BATCH });
    const started = await inBatches(overdue, (group) =>
      Promise.allSettled(group.map(({ userId }) => start(entranceProcess, { userId, exists: true }))),
    );
    const last = overdue.length < BATCH ? undefined : overdue.at(-1);
    return { started, after: last ? { due: last.due.toISOString(), id: last.id } : null };
  },
});
