import { Router } from 'express';
import { productDetailView } from '../../../api/products/product-detail.view';
import { productView } from '../../../api/products/product.view';
import { paginationOf } from '../../../api/http/envelope';
import { listProducts } from '../../../db/catalog/product-list.reads';
import { productDetail } from '../../../db/catalog/product.reads';
import type { Db } from '../../../db/sql';

const PAGE_SIZE = 20;

/** The catalogue's pages without the kit: the query, the rows as the answer shows them, `res.json`. */
export function bareCatalogue(db: Db): Router {
  const router = Router();
  router.get('/products', async ({ query }, res) => {
    const page = Number(query['page'] ?? 1);
    const search = query['search'];
    const { total, products } = await listProducts(
      db,
      { search: typeof search === 'string' ? search : undefined },
      { by: 'createdAt', direction: 'desc' },
      { limit: PAGE_SIZE, offset: (page - 1) * PAGE_SIZE },
    );
    const pagination = paginationOf({ total, page, pageSize: PAGE_SIZE });
    res.json({ success: true, data: { products: products.map(productView) }, meta: { pagination } });
  });
  router.get('/products/:id', async ({ params: { id } }, res) => {
    const product = await productDetail(db, id);
    if (product) res.json({ success: true, data: productDetailView(product) });
    else res.status(404).json({ success: false });
  });
  return router;
}
