import { z } from 'zod';
import { strayRefundsOf } from '../../../../db/commerce/refund/stray-refund.reads';
import { topUpsOf } from '../../../../db/ledger/top-up/top-up-list.reads';
import type { Db } from '../../../../db/sql/query';
import { TopUpView, topUpView } from '../../balance/top-ups/top-up.view';
import { TopUpRefundExport, topUpRefundExport } from '../stray-refund-export.view';

/** Top-ups of the wallet, paid or not, and money that came for them and goes back. */
export const TopUpsExport = {
  topUps: z.array(TopUpView).describe('Top-ups of the wallet, newest first.'),
  topUpRefunds: z.array(TopUpRefundExport).describe('Money that goes back of payments for top-ups.'),
};

export async function topUpsExport(db: Db, userId: string, at: Date) {
  const topUps = await topUpsOf(db, userId);
  const refunds = await strayRefundsOf(db, userId, 'topUpId');
  return {
    topUps: topUps.map((topUp) => topUpView(topUp, at)),
    topUpRefunds: refunds.map(topUpRefundExport),
  };
}
