import { z } from 'zod';
import { productExists } from '../../../../db/catalog/product/administered-product.reads';
import { stockMovementsOf, type StockMovementRow } from '../../../../db/catalog/stock/stock-history.reads';
import { endpoint } from '../../../http/endpoint';
import { perMinute } from '../../../http/limits/limits';
import { paging, windowOf } from '../../../http/answer/paging';
import { noSuchProduct } from '../product.requirements';
import { oneProduct } from '../product.view';

const StockMovement = z
  .object({
    id: z.uuid(),
    kind: z
      .enum(['INITIAL', 'RESERVE', 'RELEASE', 'SELL', 'RESTOCK', 'ADJUST'])
      .describe('The cause of the movement.'),
    availableDelta: z.int().meta({ description: 'Units that may be ordered.', example: -2 }),
    reservedDelta: z.int().meta({ description: 'Units that are reserved for orders.', example: 2 }),
    reason: z.string().meta({ description: 'The cause in words.', example: 'Reserved for an order' }),
    actor: z
      .object({ id: z.uuid().describe('Identifies the user; a UUID.'), email: z.string() })
      .nullable()
      .meta({
        description: 'The administrator who counted or who approved the refund; null for any other movement.',
      }),
    orderId: z.uuid().nullable().meta({ description: 'The order whose goods were moved; null for a count.' }),
    orderNumber: z.string().nullable().meta({ example: 'ORD-2026-00000341' }),
    refundRequestId: z.uuid().nullable().meta({
      description: 'The refund of that order that restocked them; null for any other movement.',
    }),
    variantId: z.uuid().nullable().meta({ description: 'Null for the product itself.' }),
    createdAt: z.iso.datetime(),
  })
  .meta({ id: 'StockMovement' });

const REASONS: Readonly<Record<StockMovementRow['kind'], string>> = {
  INITIAL: 'First count',
  ADJUST: 'New count',
  RESERVE: 'Reserved for an order',
  RELEASE: 'No longer reserved, because the order was cancelled',
  SELL: 'Sold, because the order was paid',
  RESTOCK: 'Back in stock, because the order was cancelled',
};

const reasonOf = ({ kind, refundRequestId }: StockMovementRow): string =>
  kind === 'RESTOCK' && refundRequestId !== null
    ? 'Back in stock, because the goods were returned'
    : REASONS[kind];

export const listStockMovements = endpoint({
  id: 'listStockMovements',
  returns: 'One page of stock movements',
  method: 'get',
  path: '/admin/products/:id/stock-movements',
  summary: 'List the stock movements of a product',
  description:
    'Newest first, with those of its variants, deleted ones too. The stock is the sum of its movements.',
  tag: 'Administration: products',
  auth: 'admin',
  limit: perMinute(200),

  params: oneProduct,
  query: z.object(paging(100)),
  success: 200,
  paginated: true,
  data: z.object({ movements: z.array(StockMovement).describe('One page of stock movements.') }),
  errors: { PRODUCT_NOT_FOUND: 404 },

  async handle({ params: { id }, query: { page, pageSize } }, { db, reply }) {
    if (!(await productExists(db, id))) throw noSuchProduct();
    const window = windowOf({ page, pageSize });
    const { total, movements } = await stockMovementsOf(db, id, window);
    reply.page({ total, page, pageSize });
    return {
      movements: movements.map((row) => ({
        ...row,
        reason: reasonOf(row),
        createdAt: row.createdAt.toISOString(),
      })),
    };
  },
});
