import {
  COMMISSION_HOLDS,
  type CommissionHold,
} from '../../../workflows/partners/commission/commission.rules';
import { firstRow, rows, type Tx } from '../../sql/query';
import { HELD_BY, SALE_OF } from '../commission/held-back';
import { TAKEN_TYPES } from './commission-event.transitions';

/** Work of the partner programme that waits. */
export interface CommissionFigures extends EventFigures {
  held: HeldCommissions[];
}

/** PENDING commissions that have been due for more than a day, by what holds them; `none`: they only wait for maturation. */
export interface HeldCommissions {
  hold: CommissionHold | 'none';
  commissions: number;
}

interface EventFigures {
  /** The waiting time of the oldest event that the engine has not taken and that is not parked; 0: none waits. */
  oldestWaitingSeconds: number;
  /** The time for which the engine has taken nothing although an event was due; 0: none is due. */
  nothingTakenSeconds: number;
  /** Those that are not parked, `MOST_WAITING` at most. */
  waiting: number;
  /** Events that could not be counted; each has a process that waits for a person. */
  parked: number;
}

const MOST_WAITING = 100_000;
/** Bounds the commissions whose hold is looked for while maturation stands still. */
const MOST_HELD = 10_000;

/** Events that are not parked. A fragment. */
const WAITING = `FROM domain_events
  WHERE taken_at IS NULL AND parked_at IS NULL AND given_up_at IS NULL AND ${TAKEN_TYPES}`;

/**
 * The later of two moments: when the first of the due events became due, and when the engine last took one; no row if none is
 * due. The age of an event alone says nothing while a backlog is taken, and the last event taken alone nothing after a quiet
 * night. A fragment.
 */
const NOTHING_TAKEN_SINCE = `SELECT greatest(occurred_at, next_attempt_at,
    (SELECT max(taken_at) FROM domain_events WHERE taken_at IS NOT NULL AND ${TAKEN_TYPES}))
  ${WAITING} AND (next_attempt_at IS NULL OR next_attempt_at <= now()) ORDER BY occurred_at, id LIMIT 1`;

/** The time since a moment; 0 without one. A fragment. */
const since = (moment: string): string =>
  `coalesce(greatest(extract(epoch FROM now() - (${moment})), 0), 0)::float8`;

/**
 * The newest first: commissions that stay held for years are the oldest, and must not hide that those of yesterday did not
 * mature.
 */
const HELD = `SELECT known.hold, count(found.hold)::int AS commissions
  FROM unnest($1::text[]) AS known (hold)
  LEFT JOIN (
    SELECT coalesce(${HELD_BY}, 'none') AS hold
      FROM (SELECT * FROM partner_commissions WHERE status = 'PENDING' AND matures_at < now() - interval '1 day'
        ORDER BY matures_at DESC LIMIT ${MOST_HELD}) c
      ${SALE_OF}
  ) found USING (hold)
  GROUP BY known.hold ORDER BY known.hold`;

export async function commissionFigures(tx: Tx): Promise<CommissionFigures> {
  const events = await firstRow<EventFigures>(
    tx,
    `SELECT ${since(`SELECT min(occurred_at) ${WAITING}`)} AS oldest_waiting_seconds,
       ${since(NOTHING_TAKEN_SINCE)} AS nothing_taken_seconds,
       (SELECT count(*)::int FROM (SELECT 1 ${WAITING} LIMIT ${MOST_WAITING}) waiting) AS waiting,
       (SELECT count(*)::int FROM domain_events
         WHERE taken_at IS NULL AND given_up_at IS NULL AND parked_at IS NOT NULL) AS parked`,
  );
  const held = await rows<HeldCommissions>(tx, HELD, [['none', ...COMMISSION_HOLDS]]);
  return { ...(events ?? { oldestWaitingSeconds: 0, nothingTakenSeconds: 0, waiting: 0, parked: 0 }), held };
}
