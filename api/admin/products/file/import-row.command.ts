import { v7 } from 'uuid';
import type { z } from 'zod';
import { productOfSku } from '../../../../db/catalog/product/administered-product.reads';
import type { Db } from '../../../../db/sql/query';
import { refusalIn, type RefusalDetails } from '../../../../workflows/errors';
import { sentFields } from '../../../http/request/sent-fields';
import type { Actor } from '../../actor';
import { changeProduct } from '../change.command';
import { createProduct } from '../create.command';
import { newProductFrom } from '../new-product';
import { ProductChange, productFrom, ProductRequest } from '../product.request';
import { columnOf, type RowRequest } from './row-request';

/** The result of one row; errors are by column. */
export type ImportedRow =
  | { outcome: 'CREATED' | 'UPDATED' | 'UNCHANGED'; productId: string; errors: null }
  | { outcome: 'REFUSED'; productId: null; errors: RefusalDetails };

const refused = (errors: RefusalDetails): ImportedRow => ({ outcome: 'REFUSED', productId: null, errors });

/**
 * Creates the product of a row, or changes the one that has its SKU, in a transaction of its own. Errors of the row are
 * in the result; any other failure is thrown.
 */
export async function importRow(
  db: Db,
  { request, errors }: RowRequest,
  sku: string,
  by: Actor,
): Promise<ImportedRow> {
  if (errors) return refused(errors);
  try {
    const product = await productOfSku(db, sku);
    // A file from before the deletion would restore the product unnoticed.
    if (product?.isDeleted)
      return refused({ sku: ['is of a deleted product; bring it back by itself first'] });
    return product ? await changeFrom(db, product.id, request, by) : await createFrom(db, request, by);
  } catch (error) {
    const refusal = refusalIn(error);
    if (!refusal) throw error;
    if (refusal.code === 'PRODUCT_NOT_FOUND') return refused({ sku: ['was deleted meanwhile'] });
    const details = refusal.details ?? { sku: [refusal.message] };
    return refused(
      Object.fromEntries(Object.entries(details).map(([field, messages]) => [columnOf([field]), messages])),
    );
  }
}

async function createFrom(db: Db, fields: RowRequest['request'], by: Actor): Promise<ImportedRow> {
  // An empty cell of a new product is a field left out, not one to empty.
  const filled = Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== null));
  const request = ProductRequest.safeParse(filled);
  if (!request.success) return refused(errorsIn(request.error));
  const { id } = await createProduct(db, v7(), newProductFrom(request.data), by);
  return { outcome: 'CREATED', productId: id, errors: null };
}

async function changeFrom(
  db: Db,
  id: string,
  fields: RowRequest['request'],
  by: Actor,
): Promise<ImportedRow> {
  const request = ProductChange.safeParse(fields);
  if (!request.success) return refused(errorsIn(request.error));
  const product = await changeProduct(db, id, productFrom(sentFields(request.data)), by);
  return { outcome: product.changed ? 'UPDATED' : 'UNCHANGED', productId: id, errors: null };
}

function errorsIn({ issues }: z.ZodError): RefusalDetails {
  const errors: RefusalDetails = {};
  for (const { path, message } of issues) (errors[columnOf(path)] ??= []).push(message);
  return errors;
}
