import { z } from 'zod';
import { endpoint } from '../../http/endpoint';
import { perMinute } from '../../http/limits/limits';
import { actorOf } from '../actor';
import { createProduct } from './create.command';
import { newProductFrom } from './new-product';
import { ProductRequest } from './product.request';
import { ProductStatusField } from '../../products/product.view';

const CreatedProduct = z
  .object({
    id: z.uuid(),
    name: z.string(),
    slug: z.string(),
    sku: z.string(),
    status: ProductStatusField,
    createdAt: z.iso.datetime(),
    createdBy: z.uuid().describe('The administrator who did it.'),
  })
  .meta({ id: 'CreatedProduct' });

export const createProductEndpoint = endpoint({
  id: 'createProduct',
  returns: 'The new product',
  method: 'post',
  path: '/admin/products',
  summary: 'Create a product',
  description:
    'Its slug is made from its name, with -2, -3 and so on if others have it, and stays when the name changes. Without `stockQuantity` stock is not tracked, unless `trackInventory` is true: then the stock is 0. A SKU belongs to one product or variant; that of a deleted variant is free.',
  tag: 'Administration: products',
  auth: 'admin',
  limit: perMinute(200),

  body: ProductRequest,
  success: 201,
  data: CreatedProduct,
  errors: { SKU_ALREADY_EXISTS: 409 },

  async handle({ body }, { caller, db, mint, request }) {
    const { product: id } = await mint('product');
    const created = await createProduct(db, id, newProductFrom(body), actorOf({ caller, request }));
    const { name, slug, sku, status, createdAt } = created;
    return { id, name, slug, sku, status, createdAt: createdAt.toISOString(), createdBy: caller.id };
  },
});
