import { z } from 'zod';
import { catalogueTags } from '../../db/catalog/catalogue-change/catalogue-channel';
import { productDetail } from '../../db/catalog/shop/shop-product.reads';
import { refusal } from '../../workflows/errors';
import { endpoint } from '../http/endpoint';
import { productReference } from '../http/request/ids/references';
import { perMinute } from '../http/limits/limits';
import { ProductDetail, productDetailView } from './product-detail.view';

export const showProduct = endpoint({
  id: 'getProduct',
  returns: 'The product',
  method: 'get',
  path: '/products/:id',
  summary: 'Show a product',
  description: 'Price, stock, variants, images, rating and related products.',
  tag: 'Products',
  auth: 'optional',
  limit: perMinute(200),

  params: z.object({ id: productReference() }),
  success: 200,
  data: ProductDetail,
  errors: { PRODUCT_NOT_FOUND: 404 },
  cached: true,

  async handle({ params: { id } }, { db, reply }) {
    const product = await productDetail(db, id);
    if (!product) throw refusal('PRODUCT_NOT_FOUND');
    const { category } = product;
    // Related products are the best-selling of its category; without a visible category, all sales count.
    reply.dependsOn(
      catalogueTags.product(id),
      category ? catalogueTags.salesIn(category.id) : catalogueTags.sales,
    );
    return productDetailView(product);
  },
});
