import type { Offence } from '../../db/invariants/invariant';
import { AWAITS_PAYOUT } from '../../db/investment/provider-event/waiting-payout.reads';
import { rows, type Db } from '../../db/sql/query';
import { MOST_ROWS } from './running-processes';

/**
 * Participations whose maturity passed an hour ago and that still run, unless their process waits for an operator, or a
 * report of their payout waits: those have a gauge.
 */
export const overdueParticipations = (db: Db): Promise<Offence[]> =>
  rows<Offence>(
    db,
    `SELECT p.id::text AS entity, format('participation %s is ACTIVE, its maturity was %s', p.number, p.matures_at) AS detail
       FROM participations p
      WHERE p.status = 'ACTIVE' AND p.matures_at < now() - interval '1 hour'
        AND NOT EXISTS (SELECT 1 FROM parked_processes k WHERE k.workflow_id = 'participation:' || p.id)
        AND NOT ${AWAITS_PAYOUT}
      ORDER BY p.matures_at, p.id LIMIT ${MOST_ROWS}`,
  );
