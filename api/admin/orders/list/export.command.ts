import { audited } from '../../../../db/administration/audit/audit.writes';
import type { AdminOrderFilter } from '../../../../db/commerce/order-administration/order-filter.reads';
import type { Db } from '../../../../db/sql/query';
import { inTransaction } from '../../../../db/sql/transaction';
import type { Actor } from '../../actor';

/** Records an export of orders. A search may be a person's name or address, so only that there was one. */
export const recordExport = (db: Db, actor: Actor, { search, ...filter }: AdminOrderFilter): Promise<void> =>
  inTransaction(db, (tx) =>
    audited(tx, actor, 'order.export', 'export', null, { ...filter, isSearch: Boolean(search) }),
  );
