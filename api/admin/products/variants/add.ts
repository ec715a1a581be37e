import { endpoint } from '../../../http/endpoint';
import { perMinute } from '../../../http/limits/limits';
import { sentFields } from '../../../http/request/sent-fields';
import { actorOf } from '../../actor';
import { oneProduct } from '../product.view';
import { addVariant, MOST_VARIANTS } from './add.command';
import { AdminVariant, variantFrom, VariantRequest, variantView } from './variant.view';

const DEFAULTS = { name: null, priceMinor: null, attributes: {}, stockQuantity: null };

export const addProductVariant = endpoint({
  id: 'createVariant',
  returns: 'The new variant',
  method: 'post',
  path: '/admin/products/:id/variants',
  summary: 'Add a variant to a product',
  description: `It has its own stock, in addition to that of the product itself. A SKU belongs to one product or variant. At most ${MOST_VARIANTS} a product.`,
  tag: 'Administration: products',
  auth: 'admin',
  limit: perMinute(200),

  params: oneProduct,
  body: VariantRequest,
  example: {
    name: '10 m',
    sku: 'CABLE-10M',
    price: 29.9,
    attributes: { length: '10 m' },
  },
  success: 201,
  data: AdminVariant,
  errors: { PRODUCT_NOT_FOUND: 404, SKU_ALREADY_EXISTS: 409 },

  async handle({ params: { id: productId }, body }, { caller, db, mint, request }) {
    const { variant: variantId } = await mint('variant');
    const variant = { ...DEFAULTS, ...variantFrom(sentFields(body)), sku: body.sku };
    const by = actorOf({ caller, request });
    return variantView(await addVariant(db, { productId, variantId }, variant, by), caller.id);
  },
});
