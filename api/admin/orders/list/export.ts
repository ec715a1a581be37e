import { z } from 'zod';
import {
  ordersFound,
  type AdminOrderFilter,
} from '../../../../db/commerce/order-administration/order-filter.reads';
import {
  ordersAfter,
  type ExportedOrder,
} from '../../../../db/commerce/order-administration/order-export.reads';
import type { Db } from '../../../../db/sql/query';
import { csvFile } from '../../../http/answer/files/csv-file';
import { TextChunks } from '../../../http/answer/files/text-stream';
import { endpoint } from '../../../http/endpoint';
import type { Context } from '../../../http/handler-context';
import { Gate } from '../../../http/limits/gate';
import { perMinute } from '../../../http/limits/limits';
import { actorOf } from '../../actor';
import { recordExport } from './export.command';
import { ORDER_COLUMNS, orderCells } from './order-columns';
import { orderFilterOf, orderQuery } from './order-query';

/** Orders per chunk: the most that are in memory at once. */
const CHUNK_ORDERS = 500;

/** Orders of a search that an export holds in memory by their ids. */
const MOST_FOUND = 20_000;

/** An export reads many orders and lasts as long as its caller reads it. */
const gate = new Gate({ slots: 2, queueLength: 8, deadlineMs: 10_000 });

export const exportOrders = endpoint({
  id: 'exportOrders',
  returns: 'The orders as CSV',
  method: 'get',
  path: '/admin/orders/export',
  summary: 'Export orders as a file',
  description: `CSV in UTF-8 with a byte order mark, one row per order, newest first, chosen as in the list. The columns are ${ORDER_COLUMNS.map((column) => `\`${column}\``).join(', ')}; \`items\` are quantities and SKUs, \`saleReversed\` is what approved refunds and a cancellation took off \`total\`, whether or not the money has been sent. A text that a spreadsheet could take for a formula has an apostrophe before it.`,
  tag: 'Administration: orders',
  auth: 'admin',
  limit: perMinute(5),

  query: z.object(orderQuery),
  success: 200,
  produces: 'text/csv',
  data: TextChunks,
  errors: {},

  handle({ query }, context) {
    context.reply.download(`orders-${new Date().toISOString().slice(0, 10)}.csv`);
    return Promise.resolve(auditedExport(context, orderFilterOf(query)));
  },
});

/** An export while it has a slot, from its first chunk to its last; recorded before any order is read. */
async function* auditedExport(context: Context<'admin'>, filter: AdminOrderFilter): AsyncGenerator<string> {
  const { db, request } = context;
  const leave = await gate.enter(request.clientGone);
  try {
    await recordExport(db, actorOf(context), filter);
    yield* chunksOf(db, await searchedOnce(db, filter));
  } finally {
    leave();
  }
}

/** The filter with the ids that its search finds, so that not every chunk searches again; as it is if they are many. */
async function searchedOnce(db: Db, filter: AdminOrderFilter): Promise<AdminOrderFilter> {
  const { search, ...others } = filter;
  if (!search) return filter;
  const orderIds = await ordersFound(db, search, MOST_FOUND + 1);
  return orderIds.length > MOST_FOUND ? filter : { ...others, orderIds };
}

const chunksOf = (db: Db, filter: AdminOrderFilter): AsyncGenerator<string> =>
  csvFile<ExportedOrder>({
    columns: ORDER_COLUMNS,
    cells: orderCells,
    after: (last, limit) => ordersAfter(db, filter, last, limit),
    chunk: CHUNK_ORDERS,
  });
