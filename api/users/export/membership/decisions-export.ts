import { z } from 'zod';
import { adjustmentsOfPartner } from '../../../../db/partners/commission-list/commission-explanation.reads';
import { rankChanges } from '../../../../db/partners/rank/rank-progress.reads';
import type { Db } from '../../../../db/sql/query';
import { figureInMajor, PLATFORM_CURRENCY } from '../../../../workflows/commerce/money.rules';
import { AdjustmentView, adjustmentView } from '../../../mlm/commissions/commission.view';
import { RankView } from '../../../mlm/ranks/rank.view';

/** Administrators make them by hand, so that no partner has as many. */
const MOST_DECISIONS = 10_000;

/** Decisions of administrators about a partner's commissions and rank, with their reasons, and ranks that points reached. */
export const DecisionsExport = {
  commissionAdjustments: z
    .array(AdjustmentView.extend({ commissionId: z.uuid().describe('The commission that was adjusted.') }))
    .describe('What administrators did to commissions, newest first.'),
  rankHistory: z
    .array(
      z.object({
        rank: RankView.describe('The rank in the partner programme.'),
        achievedAt: z.iso.datetime().describe('When the rank was reached.'),
        bonus: z.number().describe('For the ranks that were reached for the first time; otherwise 0.'),
        reason: z
          .string()
          .nullable()
          .describe('What the administrator wrote who set the rank; null if points reached it.'),
      }),
    )
    .describe('Changes of rank, newest first.'),
};

/** Those of a partner. */
export async function decisionsExport(db: Db, partnerId: string) {
  const adjustments = await adjustmentsOfPartner(db, partnerId, MOST_DECISIONS);
  const { changes } = await rankChanges(db, partnerId, { limit: MOST_DECISIONS, offset: 0 });
  return {
    commissionAdjustments: adjustments.map(({ commissionId, currency, ...one }) => ({
      commissionId,
      ...adjustmentView(one, currency),
    })),
    rankHistory: changes.map(({ toLevel, toCode, toName, changedAt, bonusMinor, reason }) => ({
      rank: { level: toLevel, code: toCode, name: toName },
      achievedAt: changedAt.toISOString(),
      bonus: figureInMajor(bonusMinor, PLATFORM_CURRENCY),
      reason,
    })),
  };
}
