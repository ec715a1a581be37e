import { Router } from 'express';
import { categoryDetailView } from '../../../api/categories/category-detail.view';
import { paginationOf } from '../../../api/http/answer/envelope';
import { productDetailView } from '../../../api/products/product-detail.view';
import { productView } from '../../../api/products/product.view';
import { categoryDetail } from '../../../db/catalog/shop/shop-category.reads';
import { listProducts } from '../../../db/catalog/shop/shop-product-list.reads';
import { productDetail } from '../../../db/catalog/shop/shop-product.reads';
import type { Db } from '../../../db/sql/query';

const PAGE_SIZE = 20;
const NEWEST = { by: 'createdAt', direction: 'desc' } as const;

type Query = Record<string, unknown>;

/** The catalogue's pages without the kit: query, rows as they are answered, `res.json`. */
export function bareCatalogue(db: Db): Router {
  const router = Router();
  router.get('/products', async ({ query }, res) => {
    const { products, pagination } = await pageOf(db, query, {
      categoryId: textOf(query['categoryId']),
      minPriceMinor: minorOf(query['minPrice']),
      maxPriceMinor: minorOf(query['maxPrice']),
      tags: textOf(query['tags'])?.split(','),
      search: textOf(query['search']),
    });
    res.json({ success: true, data: { products: products.map(productView) }, meta: { pagination } });
  });
  router.get('/products/:id', async ({ params: { id } }, res) => {
    const product = await productDetail(db, id);
    if (product) res.json({ success: true, data: productDetailView(product) });
    else res.status(404).json({ success: false });
  });
  router.get('/categories/:id', async ({ params: { id }, query }, res) => {
    const category = await categoryDetail(db, id);
    if (!category) return void res.status(404).json({ success: false });
    const { products, pagination } = await pageOf(db, query, { categoryId: id });
    res.json({ success: true, data: categoryDetailView(category, products), meta: { pagination } });
  });
  return router;
}

async function pageOf(db: Db, query: Query, filter: Parameters<typeof listProducts>[1]) {
  const page = Number(query['page'] ?? 1);
  const window = { limit: PAGE_SIZE, offset: (page - 1) * PAGE_SIZE };
  const { total, products } = await listProducts(db, filter, NEWEST, window);
  return { products, pagination: paginationOf({ total, page, pageSize: PAGE_SIZE }) };
}

const textOf = (value: unknown): string | undefined => (typeof value === 'string' ? value : undefined);
const minorOf = (value: unknown): number | undefined =>
  typeof value === 'string' ? Math.round(Number(value) * 100) : undefined;
