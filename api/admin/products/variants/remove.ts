import { z } from 'zod';
import { endpoint } from '../../../http/endpoint';
import { perMinute } from '../../../http/limits/limits';
import { actorOf } from '../../actor';
import { deleteVariant } from './remove.command';
import { oneVariant } from './variant.view';

export const removeProductVariant = endpoint({
  id: 'deleteVariant',
  returns: 'The variant that was deleted',
  method: 'delete',
  path: '/admin/products/:id/variants/:variantId',
  summary: 'Delete a variant',
  description:
    'This is final. Orders and the stock movements keep it, and a cart that contains it cannot be ordered. Refused while orders that are not sent yet contain it.',
  tag: 'Administration: products',
  auth: 'admin',
  limit: perMinute(200),

  params: oneVariant,
  success: 200,
  data: z
    .object({
      id: z.uuid(),
      deletedAt: z.iso.datetime().describe('When it was removed.'),
      deletedBy: z.uuid().describe('The administrator who did it.'),
    })
    .meta({ id: 'DeletedVariant' }),
  errors: { PRODUCT_NOT_FOUND: 404, VARIANT_NOT_FOUND: 404, HAS_PENDING_ORDERS: 400 },

  async handle({ params: { id: productId, variantId } }, { caller, db, request }) {
    const { deletedAt } = await deleteVariant(db, { productId, variantId }, actorOf({ caller, request }));
    return { id: variantId, deletedAt: deletedAt.toISOString(), deletedBy: caller.id };
  },
});
