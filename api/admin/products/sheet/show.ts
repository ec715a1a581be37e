import { productSheet } from '../../../../db/catalog/sheet/product-sheet.reads';
import { endpoint } from '../../../http/endpoint';
import { perMinute } from '../../../http/limits/limits';
import { noSuchProduct } from '../product.requirements';
import { oneProduct } from '../product.view';
import { AdminProductDetail, productSheetView } from './product-sheet.view';

export const showProductForAdmin = endpoint({
  id: 'getAnyProduct',
  returns: 'The product with every field',
  method: 'get',
  path: '/admin/products/:id',
  summary: 'Show a product as administrators edit it',
  description:
    'In any status, deleted ones too. Every field that PATCH can change is in it, in the form that PATCH takes.',
  tag: 'Administration: products',
  auth: 'admin',
  limit: perMinute(200),

  params: oneProduct,
  success: 200,
  data: AdminProductDetail,
  errors: { PRODUCT_NOT_FOUND: 404 },

  async handle({ params: { id } }, { db }) {
    const product = await productSheet(db, id);
    if (!product) throw noSuchProduct();
    return productSheetView(product);
  },
});
