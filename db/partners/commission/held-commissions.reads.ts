import {
  COMMISSION_HOLDS,
  type CommissionHold,
} from '../../../workflows/partners/commission/commission.rules';
import { rows, type Tx } from '../../sql/query';
import { HELD_BY, SALE_OF } from './held-back';

/** PENDING commissions that have been due for more than a day, by what holds them; `none`: they only wait for maturation. */
export interface HeldCommissions {
  hold: CommissionHold | 'none';
  commissions: number;
}

/** Bounds the commissions whose hold is looked for while maturation stands still. */
const MOST_HELD = 10_000;

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

export const heldCommissions = (tx: Tx): Promise<HeldCommissions[]> =>
  rows<HeldCommissions>(tx, HELD, [['none', ...COMMISSION_HOLDS]]);
