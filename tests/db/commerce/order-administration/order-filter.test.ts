import { orderConditions } from '../../../../db/commerce/order-administration/order-filter.reads';
import { execute, rows } from '../../../../db/sql/query';
import { inTransaction } from '../../../../db/sql/transaction';
import { ownDatabase } from '../../../support/servers/database';

const own = ownDatabase();

/** The plan of a filter where reading whole tables is the last resort. */
async function planOf(filter: Parameters<typeof orderConditions>[0]): Promise<string> {
  const values: unknown[] = [];
  const where = orderConditions(filter, (value) => `$${values.push(value)}`);
  return inTransaction(own.db, async (tx) => {
    await execute(tx, 'SET LOCAL enable_seqscan = off');
    const lines = await rows<{ 'QUERY PLAN': string }>(
      tx,
      `EXPLAIN SELECT o.* FROM orders o WHERE ${where} ORDER BY o.created_at DESC, o.id DESC LIMIT 20`,
      values,
    );
    return lines.map((line) => line['QUERY PLAN']).join('\n');
  });
}

test('a search reads the index of each thing that it looks for, and no table as a whole', async () => {
  const plan = await planOf({ search: 'berta' });
  for (const index of [
    'orders_search_idx',
    'users_search_idx',
    'order_items_sku_search_idx',
    'shipments_tracking_search_idx',
  ])
    expect(plan).toContain(index);
  expect(plan).not.toContain('Seq Scan');
});

test('an id is read by the key, and the orders of some statuses by theirs', async () => {
  expect(await planOf({ search: '0199f3a2-7c1e-7b54-9d3f-2a6c8e1b4d70' })).toContain('orders_pkey');
  expect(await planOf({ statuses: ['PAID', 'PROCESSING'] })).toMatch(/orders_status_idx|orders_created_idx/);
});
