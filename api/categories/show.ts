import { z } from 'zod';
import { catalogueTags } from '../../db/catalog/catalogue-change/catalogue-channel';
import { categoryDetail } from '../../db/catalog/shop/shop-category.reads';
import { listProducts } from '../../db/catalog/shop/shop-product-list.reads';
import { refusal } from '../../workflows/errors';
import { endpoint } from '../http/endpoint';
import { categoryReference } from '../http/request/ids/references';
import { perMinute } from '../http/limits/limits';
import { paging, windowOf } from '../http/answer/paging';
import { orderOf, sorting } from '../products/sorting';
import { CategoryDetail, categoryDetailView } from './category-detail.view';

export const showCategory = endpoint({
  id: 'getCategory',
  returns: 'The category, and one page of its products',
  method: 'get',
  path: '/categories/:id',
  summary: 'Show a category with a page of its products',
  description: 'Products of subcategories are included; the newest first by default.',
  tag: 'Categories',
  auth: 'public',
  limit: perMinute(200),

  params: z.object({ id: categoryReference() }),
  query: z.object({ ...paging(100), ...sorting() }),
  success: 200,
  data: CategoryDetail,
  errors: { CATEGORY_NOT_FOUND: 404 },
  paginated: true,
  cached: true,

  async handle({ params: { id }, query }, { db, reply }) {
    const { page, pageSize, sortBy } = query;
    const category = await categoryDetail(db, id);
    if (!category) throw refusal('CATEGORY_NOT_FOUND');
    const window = windowOf({ page, pageSize });
    const { total, products } = await listProducts(db, { categoryId: id }, orderOf(query), window);
    reply.page({ total, page, pageSize });
    reply.dependsOn(
      ...products.map((product) => catalogueTags.product(product.id)),
      ...(sortBy === 'popularity' ? [catalogueTags.sales] : []),
    );
    return categoryDetailView(category, products);
  },
});
