import { z } from 'zod';
import { catalogueTags } from '../../db/catalog/catalogue-change/catalogue-channel';
import { listProducts } from '../../db/catalog/shop/shop-product-list.reads';
import { PLATFORM_CURRENCY, toMinor } from '../../workflows/commerce/money.rules';
import { endpoint } from '../http/endpoint';
import { moneyText, text } from '../http/request/fields';
import { perMinute } from '../http/limits/limits';
import { paging, windowOf } from '../http/answer/paging';
import { Product, productView } from './product.view';
import { orderOf, sorting } from './sorting';
import { idOf } from '../http/request/ids/id-of';

const Tags = z
  .string()
  .max(1000)
  .transform((list) => [...new Set(list.split(',').map((tag) => tag.trim()))].filter((tag) => tag !== ''))
  .meta({ description: 'Tags separated by commas; finds products with any of them.' });

export const listProductsEndpoint = endpoint({
  id: 'listProducts',
  returns: 'One page of products',
  method: 'get',
  path: '/products',
  summary: 'Browse and search products',
  description: 'The same answer for everyone. Newest first by default.',
  tag: 'Products',
  auth: 'optional',
  limit: perMinute(200),

  query: z.object({
    ...paging(100),
    categoryId: idOf('category').optional().meta({ description: 'Subcategories are included.' }),
    status: z.enum(['ACTIVE', 'OUT_OF_STOCK']).optional(),
    minPrice: moneyText().optional().describe('Only products of at least this price.'),
    maxPrice: moneyText().optional().describe('Only products of at most this price.'),
    search: text({ max: 200 }).optional().meta({
      description:
        'Words of name and description, with or without their accents; quotes, OR and minus work as in a web search.',
    }),
    ...sorting(),
    tags: Tags.optional(),
  }),
  success: 200,
  data: z.object({ products: z.array(Product).describe('One page of products.') }),
  errors: {},
  paginated: true,
  cached: true,

  async handle({ query }, { db, reply }) {
    const { page, pageSize, minPrice, maxPrice, search, tags, sortBy } = query;
    const { total, products } = await listProducts(
      db,
      {
        categoryId: query.categoryId,
        status: query.status,
        minPriceMinor: minPrice === undefined ? undefined : toMinor(minPrice, PLATFORM_CURRENCY),
        maxPriceMinor: maxPrice === undefined ? undefined : toMinor(maxPrice, PLATFORM_CURRENCY),
        search: search === '' ? undefined : search,
        tags: tags?.length === 0 ? undefined : tags,
      },
      orderOf(query),
      windowOf({ page, pageSize }),
    );
    reply.page({ total, page, pageSize });
    reply.dependsOn(
      ...products.map(({ id }) => catalogueTags.product(id)),
      ...(query.status === undefined ? [] : [catalogueTags.availability]),
      ...(sortBy === 'popularity' ? [catalogueTags.sales] : []),
    );
    return { products: products.map(productView) };
  },
});
