import { z } from 'zod';
import { listAdministeredProducts } from '../../../db/catalog/product/administered-product-list.reads';
import { endpoint } from '../../http/endpoint';
import { perMinute } from '../../http/limits/limits';
import { paging, windowOf } from '../../http/answer/paging';
import { AdminProduct, adminProductView, productQuery } from './product.view';

export const listProductsForAdmin = endpoint({
  id: 'listAllProducts',
  returns: 'One page of products of any status',
  method: 'get',
  path: '/admin/products',
  summary: 'List products',
  description: 'Newest first; deleted products are listed as ARCHIVED.',
  tag: 'Administration: products',
  auth: 'admin',
  limit: perMinute(200),

  query: z.object({ ...paging(100), ...productQuery }),
  success: 200,
  paginated: true,
  data: z.object({ products: z.array(AdminProduct).describe('One page of products.') }),
  errors: {},

  async handle({ query: { page, pageSize, status, categoryId, search } }, { db, reply }) {
    const { total, products } = await listAdministeredProducts(
      db,
      { status: status === 'ALL' ? undefined : status, categoryId, search },
      windowOf({ page, pageSize }),
    );
    reply.page({ total, page, pageSize });
    return { products: products.map(adminProductView) };
  },
});
