import { addVariant, MOST_VARIANTS } from '../../../../db/catalog/variant/variant-record.writes';
import { endpoint } from '../../../http/endpoint';
import { perMinute } from '../../../http/limits/limits';
import { given } from '../../../users/given';
import { actor, oneProduct } from '../product.view';
import { AdminVariant, variantFrom, VariantRequest, variantView } from './variant.view';

const UNSAID = { name: null, priceMinor: null, attributes: {}, stockQuantity: null };

export const addProductVariant = endpoint({
  method: 'post',
  path: '/admin/products/:id/variants',
  summary: 'Add a variant to a product',
  description: `With a stock of its own, beside that of the product as it is. A SKU belongs to one product or variant. At most ${MOST_VARIANTS} a product.`,
  tag: 'Administration: products',
  auth: 'admin',
  limit: perMinute(200),

  params: oneProduct,
  body: VariantRequest,
  success: 201,
  data: AdminVariant,
  errors: { PRODUCT_NOT_FOUND: 404, SKU_ALREADY_EXISTS: 409 },

  async handle({ params: { id: productId }, body }, { caller, db, mint, request }) {
    const { variant: variantId } = await mint('variant');
    const wish = { ...UNSAID, ...variantFrom(given(body)), sku: body.sku };
    const added = await addVariant(db, { productId, variantId }, wish, actor({ caller, request }));
    return variantView(added, caller.id);
  },
});
