import { endpoint } from '../../../http/endpoint';
import { perMinute } from '../../../http/limits/limits';
import { sentFields } from '../../../http/request/sent-fields';
import { actorOf } from '../../actor';
import { changeVariant } from './change.command';
import { AdminVariant, oneVariant, VariantChange, variantFrom, variantView } from './variant.view';

export const changeProductVariant = endpoint({
  id: 'updateVariant',
  returns: 'The variant as it is now',
  method: 'patch',
  path: '/admin/products/:id/variants/:variantId',
  summary: 'Change a variant',
  description: 'Fields left out stay as they are. Orders keep what they were placed with.',
  tag: 'Administration: products',
  auth: 'admin',
  limit: perMinute(200),

  params: oneVariant,
  body: VariantChange,
  example: {
    name: '5 m, braided',
    sku: undefined,
    price: 21.9,
    attributes: { length: '5 m' },
    stockQuantity: 40,
  },
  success: 200,
  data: AdminVariant,
  errors: { PRODUCT_NOT_FOUND: 404, VARIANT_NOT_FOUND: 404, SKU_ALREADY_EXISTS: 409 },

  async handle({ params: { id: productId, variantId }, body }, { caller, db, request }) {
    const changes = variantFrom(sentFields(body));
    const by = actorOf({ caller, request });
    return variantView(await changeVariant(db, { productId, variantId }, changes, by), caller.id);
  },
});
