import { z } from 'zod';
import { endpoint } from '../../../http/endpoint';
import { perMinute } from '../../../http/limits/limits';
import { actorOf } from '../../actor';
import { deleteVariant } from './remove.command';
import { oneVariant } from './variant.view';

export const removeProductVariant = endpoint({
  method: 'delete',
  path: '/admin/products/:id/variants/:variantId',
  summary: 'Take a variant out of the shop',
  description:
    'For good; orders and the history of its stock keep it, and a cart that holds it cannot be ordered. Refused while orders hold it that are not sent yet.',
  tag: 'Administration: products',
  auth: 'admin',
  limit: perMinute(200),

  params: oneVariant,
  success: 200,
  data: z
    .object({ id: z.uuid(), deletedAt: z.iso.datetime(), deletedBy: z.uuid() })
    .meta({ id: 'DeletedVariant' }),
  errors: { PRODUCT_NOT_FOUND: 404, VARIANT_NOT_FOUND: 404, HAS_PENDING_ORDERS: 400 },

  async handle({ params: { id: productId, variantId } }, { caller, db, request }) {
    const { deletedAt } = await deleteVariant(db, { productId, variantId }, actorOf({ caller, request }));
    return { id: variantId, deletedAt: deletedAt.toISOString(), deletedBy: caller.id };
  },
});
