import { z } from 'zod';
import { endpoint } from '../../http/endpoint';
import { perMinute } from '../../http/limits/limits';
import { sentFields } from '../../http/request/sent-fields';
import { actorOf } from '../actor';
import { changeProduct } from './change.command';
import { ProductChange, productFrom } from './product.request';
import { oneProduct } from './product.view';
import { ProductStatusField } from '../../products/product.view';

const ChangedProduct = z
  .object({
    id: z.uuid(),
    name: z.string(),
    sku: z.string(),
    status: ProductStatusField,
    updatedAt: z.iso.datetime(),
    updatedBy: z.uuid().describe('The administrator who did it.'),
  })
  .meta({ id: 'ChangedProduct' });

export const changeProductEndpoint = endpoint({
  id: 'updateProduct',
  returns: 'The product as it is now',
  method: 'patch',
  path: '/admin/products/:id',
  summary: 'Change a product',
  description:
    'Fields left out stay as they are, and the slug always does. Orders keep what they were placed with.',
  tag: 'Administration: products',
  auth: 'admin',
  limit: perMinute(200),

  params: oneProduct,
  body: ProductChange,
  success: 200,
  data: ChangedProduct,
  errors: { PRODUCT_NOT_FOUND: 404, SKU_ALREADY_EXISTS: 409 },

  async handle({ params: { id }, body }, { caller, db, request }) {
    const changes = productFrom(sentFields(body));
    const product = await changeProduct(db, id, changes, actorOf({ caller, request }));
    const { name, sku, status, updatedAt } = product;
    return { id, name, sku, status, updatedAt: updatedAt.toISOString(), updatedBy: caller.id };
  },
});
