import { markParkedStarted, parkedEvents } from '../../../db/partners/event/commission-event.transitions';
import { overdueEntrances } from '../../../db/partners/membership/entrance.reads';
import { commissionEngineProcess } from '../../../workflows/partners/commission/commission-engine.contract';
import { commissionEventProcess } from '../../../workflows/partners/commission/commission-event.contract';
import { entranceProcess } from '../../../workflows/partners/membership/entrance.contract';
import type { PartnerSweepActivities } from '../../../workflows/partners/sweep/partner-sweep.contract';
import { inGroups } from '../../commerce/webhook/in-groups';
import type { EngineDeps } from '../commission/take-events';

/** Younger ones are skipped: the engine that parked them is about to start them. */
const GRACE_MS = 10_000;
/** Entrance fees that are due for less are skipped: their processes are about to cancel them. */
const ENTRANCE_GRACE_MS = 10 * 60_000;
const BATCH = 200;

/** The safety net under the commission engines, the events that they could not count, and entrance fees. */
export const partnerSweepActivities = ({ db, start, policy }: EngineDeps): PartnerSweepActivities => ({
  async startCommissionEngines() {
    let started = 0;
    for (let engine = 0; engine < policy.commissionEngines; engine++)
      if ((await start(commissionEngineProcess, { engine })) === 'started') started++;
    return started;
  },

  async startParkedEvents({ at }) {
    const before = new Date(Date.parse(at) - GRACE_MS);
    const events = await parkedEvents(db, before, BATCH);
    return inGroups(events, async (group) => {
      const outcomes = await Promise.allSettled(
        group.map((eventId) => start(commissionEventProcess, { eventId })),
      );
      await markParkedStarted(
        db,
        group.filter((_, index) => outcomes[index]?.status === 'fulfilled'),
      );
      return outcomes;
    });
  },

  async startForgottenEntrances({ at, after }) {
    const before = new Date(Date.parse(at) - ENTRANCE_GRACE_MS);
    const overdue = await overdueEntrances(db, { before, after, limit: BATCH });
    const started = await inGroups(overdue, (group) =>
      Promise.allSettled(group.map(({ userId }) => start(entranceProcess, { userId, exists: true }))),
    );
    const last = overdue.length < BATCH ? undefined : overdue.at(-1);
    return { started, after: last ? { due: last.due.toISOString(), id: last.id } : null };
  },
});
