import { hasPagesLeft } from '../../../db/commerce/payment/newest-attempt.reads';
import type { TopUpRow } from '../../../db/ledger/top-up/top-up.reads';
import { lockTopUp } from '../../../db/ledger/top-up/top-up.transitions';
import type { Db, Tx } from '../../../db/sql/query';
import { moneyLabel } from '../../../workflows/commerce/order/order-label.rules';
import type { TopUpState } from '../../../workflows/ledger/top-up/top-up.contract';

/** The top-up, locked. Throws when there is none: its process exists only because it was opened. */
export async function requireTopUp(tx: Tx, id: string): Promise<TopUpRow> {
  const topUp = await lockTopUp(tx, id);
  if (!topUp) throw new Error(`There is no top-up ${id}.`);
  return topUp;
}

/** The state of a top-up for its process. */
export async function topUpStateOf(db: Db, topUp: TopUpRow): Promise<TopUpState> {
  const { id: topUpId, status, paymentExpiresAt } = topUp;
  const state = { status, payBy: paymentExpiresAt.toISOString(), label: moneyLabel(topUp) };
  const isPageLeft = status !== 'PENDING_PAYMENT' && (await hasPagesLeft(db, { topUpId }));
  return isPageLeft ? { ...state, pagesLeft: true } : state;
}
