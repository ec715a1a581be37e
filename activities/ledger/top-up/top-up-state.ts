import type { TopUpRow } from '../../../db/ledger/top-up/top-up.reads';
import { lockTopUp } from '../../../db/ledger/top-up/top-up.transitions';
import type { Tx } from '../../../db/sql/query';
import { moneyLabel } from '../../../workflows/commerce/order/order-label.rules';
import type { TopUpState } from '../../../workflows/ledger/top-up/top-up.contract';

/** The top-up, locked. Throws when there is none: its process exists only because it was opened. */
export async function requireTopUp(tx: Tx, id: string): Promise<TopUpRow> {
  const topUp = await lockTopUp(tx, id);
  if (!topUp) throw new Error(`There is no top-up ${id}.`);
  return topUp;
}

/** The state of a top-up for its process. */
export const topUpStateOf = (topUp: TopUpRow): TopUpState => ({
  status: topUp.status,
  payBy: topUp.paymentExpiresAt.toISOString(),
  label: moneyLabel(topUp),
});
