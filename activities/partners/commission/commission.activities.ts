import type { CommissionEngineActivities } from '../../../workflows/partners/commission/commission-engine.contract';
import type { CommissionEventActivities } from '../../../workflows/partners/commission/commission-event.contract';
import { eventOutcome, giveUpEvent } from '../../../db/partners/event/commission-event.transitions';
import { inTransaction } from '../../../db/sql/transaction';
import { takeEvent } from './take-event';
import { takeEvents, type EngineDeps } from './take-events';

/** The steps of the commission engine, and of events that it could not count. */
export const commissionActivities = (
  deps: EngineDeps,
): CommissionEngineActivities & CommissionEventActivities => ({
  takeCommissionEvents: (stretch) => takeEvents(deps, stretch),
  async takeParkedEvent({ eventId }) {
    await takeEvent(deps.db, deps.policy, eventId);
    const outcome = await eventOutcome(deps.db, eventId);
    // The transaction that has its lock may fail, so it is tried again.
    if (outcome === null) throw new Error(`Event ${eventId} is being taken by another transaction.`);
    return outcome;
  },
  async giveUpEvent({ eventId }) {
    return (await inTransaction(deps.db, (tx) => giveUpEvent(tx, eventId))) ? 'GIVEN_UP' : 'TAKEN';
  },
});
