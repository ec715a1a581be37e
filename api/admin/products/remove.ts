import { z } from 'zod';
import { endpoint } from '../../http/endpoint';
import { perMinute } from '../../http/limits/limits';
import { actorOf } from '../actor';
import { oneProduct } from './product.view';
import { deleteProduct } from './remove.command';

export const removeProduct = endpoint({
  id: 'archiveProduct',
  returns: 'The archived product',
  method: 'delete',
  path: '/admin/products/:id',
  summary: 'Archive a product',
  description:
    'It leaves the shop at once, is listed under ARCHIVED and keeps its SKU; PATCH with another status restores it. Refused while orders that are not sent yet contain it.',
  tag: 'Administration: products',
  auth: 'admin',
  limit: perMinute(200),

  params: oneProduct,
  success: 200,
  data: z
    .object({
      id: z.uuid(),
      status: z.literal('ARCHIVED'),
      deletedAt: z.iso.datetime().describe('When it was removed.'),
      deletedBy: z.uuid().describe('The administrator who did it.'),
    })
    .meta({ id: 'DeletedProduct' }),
  errors: { PRODUCT_NOT_FOUND: 404, HAS_PENDING_ORDERS: 400 },

  async handle({ params: { id } }, { caller, db, request }) {
    const { deletedAt } = await deleteProduct(db, id, actorOf({ caller, request }));
    return { id, status: 'ARCHIVED' as const, deletedAt: deletedAt.toISOString(), deletedBy: caller.id };
  },
});
