import { v7 } from 'uuid';
import type { z } from 'zod';
import { productOfSku } from '../../../../db/catalog/product/product-record.reads';
import {
  changeProduct,
  createProduct,
  type Actor,
} from '../../../../db/catalog/product/product-record.writes';
import type { Db } from '../../../../db/sql/query';
import { refusalIn, type RefusalDetails } from '../../../../workflows/errors';
import { given } from '../../../users/given';
import { newProductFrom } from '../new-product';
import { ProductChange, productFrom, ProductRequest } from '../product.request';
import { columnOf, type SentRow } from './sent';

/** What became of one row. */
export type Brought =
  | { outcome: 'CREATED' | 'UPDATED' | 'UNCHANGED'; productId: string; errors: null }
  | { outcome: 'REFUSED'; productId: null; errors: RefusalDetails };

const refused = (errors: RefusalDetails): Brought => ({ outcome: 'REFUSED', productId: null, errors });

/**
 * Makes the product of a row, or changes the one that has its SKU, in a transaction of its own. What the row gets wrong
 * is said by column; what is our own fault is thrown.
 */
export async function bringIn(db: Db, { sent, wrong }: SentRow, sku: string, by: Actor): Promise<Brought> {
  if (wrong) return refused(wrong);
  try {
    const product = await productOfSku(db, sku);
    // A file from before the deletion would bring the product back unnoticed.
    if (product?.isDeleted)
      return refused({ sku: ['is of a deleted product; bring it back by itself first'] });
    return product ? await changed(db, product.id, sent, by) : await made(db, sent, by);
  } catch (error) {
    const why = refusalIn(error);
    if (!why) throw error;
    const details = why.details ?? { sku: [why.message] };
    return refused(
      Object.fromEntries(Object.entries(details).map(([field, messages]) => [columnOf([field]), messages])),
    );
  }
}

async function made(db: Db, sent: SentRow['sent'], by: Actor): Promise<Brought> {
  // What a new product need not have is left out, and not taken away.
  const said = Object.fromEntries(Object.entries(sent).filter(([, value]) => value !== null));
  const request = ProductRequest.safeParse(said);
  if (!request.success) return refused(problemsIn(request.error));
  const { id } = await createProduct(db, v7(), newProductFrom(request.data), by);
  return { outcome: 'CREATED', productId: id, errors: null };
}

async function changed(db: Db, id: string, sent: SentRow['sent'], by: Actor): Promise<Brought> {
  const request = ProductChange.safeParse(sent);
  if (!request.success) return refused(problemsIn(request.error));
  const product = await changeProduct(db, id, productFrom(given(request.data)), by);
  if (!product) return refused({ sku: ['was deleted at this moment'] });
  return { outcome: product.changed ? 'UPDATED' : 'UNCHANGED', productId: id, errors: null };
}

function problemsIn({ issues }: z.ZodError): RefusalDetails {
  const problems: RefusalDetails = {};
  for (const { path, message } of issues) (problems[columnOf(path)] ??= []).push(message);
  return problems;
}
