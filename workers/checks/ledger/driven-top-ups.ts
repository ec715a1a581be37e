import { topUpProcess } from '../../../workflows/ledger/top-up/top-up.contract';
import { driven } from '../driven';

/** Top-ups of wallets. */
export const drivenTopUps = driven(
  topUpProcess,
  {
    table: 'top_ups',
    columns: `id AS top_up_id, user_id`,
    open: {
      where: `status = 'PENDING_PAYMENT'`,
      detail: `format('top-up %s is %s', number, status)`,
      since: 'created_at',
    },
    settled: {
      where: `status <> 'PENDING_PAYMENT'`,
      detail: `format('top-up %s is %s', number, status)`,
      since: 'ended_at',
    },
  },
  ({ topUpId = '', userId = '' }) => ({ topUpId, userId }),
);
