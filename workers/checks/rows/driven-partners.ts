import { entranceProcess } from '../../../workflows/partners/membership/entrance.contract';
import { poolProcess, type PoolInput } from '../../../workflows/partners/pool/pool.contract';
import { driven } from '../driven';

/** Entrance fees of partners, and the process that follows those of one user. */
export const drivenEntrances = driven(
  entranceProcess,
  {
    table: 'partner_entrances',
    columns: `user_id`,
    entity: { sql: 'user_id', type: 'uuid' },
    // A user whose entrance fee was not paid may join again.
    rowIsFirst: true,
    open: {
      where: `status = 'PENDING_PAYMENT'`,
      detail: `format('entrance %s is %s', number, status)`,
      since: 'created_at',
    },
    settled: {
      // An earlier one of a user who has opened another is no business of the process.
      where: `status <> 'PENDING_PAYMENT' AND NOT EXISTS (SELECT 1 FROM partner_entrances later
          WHERE later.user_id = partner_entrances.user_id AND later.status = 'PENDING_PAYMENT')`,
      detail: `format('entrance %s is %s', number, status)`,
      since: 'ended_at',
    },
  },
  ({ userId = '' }) => ({ userId }),
);

/** Counted leadership pools, and the process that pays their shares. */
export const drivenPools = driven(
  poolProcess,
  {
    table: 'pool_runs',
    columns: 'kind, period',
    entity: { sql: `lower(kind) || ':' || period`, type: 'text' },
    // One that is completed may be started again, and finds nothing to do.
    rowIsFirst: true,
    // It waits until every sale of its period is counted.
    rowMayWait: true,
    open: {
      where: `status = 'PAYING'`,
      detail: `format('pool %s %s is PAYING', kind, period)`,
      since: 'counted_at',
    },
    settled: {
      where: `status = 'COMPLETED'`,
      detail: `format('pool %s %s is COMPLETED', kind, period)`,
      since: 'completed_at',
    },
  },
  ({ kind = '', period = '' }) => ({ kind: kind as PoolInput['kind'], period }),
);
