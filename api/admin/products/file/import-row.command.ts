import { v7 } from 'uuid';
import type { z } from 'zod';
import { slugOfCategory } from '../../../../db/catalog/product/administered-product-list.reads';
import { holderOfSku, type SkuHolder } from '../../../../db/catalog/product/administered-product.reads';
import type { Db } from '../../../../db/sql/query';
import { inRolledBackTransaction } from '../../../../db/sql/transaction';
import { refusalIn, type RefusalDetails } from '../../../../workflows/errors';
import { messagesOf, requestParsing } from '../../../http/validation/field-messages';
import { sentFields } from '../../../http/request/sent-fields';
import type { Actor } from '../../actor';
import { changeProduct, type ChangedProduct } from '../change.command';
import { createProduct } from '../create.command';
import { newProductFrom } from '../new-product';
import { ProductChange, productFrom, ProductRequest } from '../product.request';
import { changedCells, type ChangedCells } from './columns';
import { columnOf, type RowRequest } from './row-request';

/** The result of one row; errors and changes are by column. */
export type ImportedRow =
  | { outcome: 'CREATED' | 'UNCHANGED'; productId: string; changes: null; errors: null }
  | { outcome: 'UPDATED'; productId: string; changes: ChangedCells; errors: null }
  | { outcome: 'REFUSED'; productId: null; changes: null; errors: RefusalDetails };

const refused = (errors: RefusalDetails): ImportedRow => ({
  outcome: 'REFUSED',
  productId: null,
  changes: null,
  errors,
});

/**
 * Creates the product of a row, or changes the one that has its SKU, in a transaction of its own. Errors of the row, all
 * of them together, are in the result; any other failure is thrown.
 */
export async function importRow(db: Db, row: RowRequest, sku: string, by: Actor): Promise<ImportedRow> {
  if (row.error !== null) return refused({ row: [row.error] });
  const holder = sku === '' ? null : await holderOfSku(db, sku);
  const work = holder?.kind === 'PRODUCT' ? changing(holder.productId, row) : creating(row);
  const errors = { ...work.errors, ...(holder && skuErrors(holder)), ...row.errors };
  if (work.carryOut === null || Object.keys(errors).length > 0) return refused(errors);
  try {
    return await work.carryOut(db, by);
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

/** Answers what `importRow` would do, and changes nothing. */
export const tryRow = (db: Db, row: RowRequest, sku: string, by: Actor): Promise<ImportedRow> =>
  inRolledBackTransaction(db, (tx) => importRow(tx, row, sku, by));

/** A deleted product is refused, because a file from before the deletion would restore it unnoticed. */
const SKU_ERRORS: Readonly<Record<SkuHolder['kind'], RefusalDetails>> = {
  PRODUCT: {},
  DELETED_PRODUCT: { sku: ['belongs to a deleted product; restore it first'] },
  VARIANT: { sku: ['belongs to a variant; files change products only'] },
};
const skuErrors = ({ kind }: SkuHolder): RefusalDetails => SKU_ERRORS[kind];

/** The work that a row asks for, or the errors because of which there is none. */
type RowImport =
  | { errors: RefusalDetails; carryOut: null }
  | { errors: null; carryOut: (db: Db, by: Actor) => Promise<ImportedRow> };

function creating({ request: fields }: RowRequest): RowImport {
  // An empty cell of a new product is a field left out, not one to empty.
  const filled = Object.fromEntries(
    Object.entries(fields).filter(([, value]) => value !== null && value !== ''),
  );
  const request = ProductRequest.safeParse(filled, requestParsing);
  if (!request.success) return { errors: errorsIn(request.error), carryOut: null };
  return {
    errors: null,
    async carryOut(db, by) {
      const { id } = await createProduct(db, v7(), newProductFrom(request.data), by);
      return { outcome: 'CREATED', productId: id, changes: null, errors: null };
    },
  };
}

/** The SKU only finds the product: spreadsheets change how it is written. */
function changing(productId: string, { request: { sku: _found, ...fields } }: RowRequest): RowImport {
  const request = ProductChange.safeParse(fields, requestParsing);
  if (!request.success) return { errors: errorsIn(request.error), carryOut: null };
  return {
    errors: null,
    async carryOut(db, by) {
      const product = await changeProduct(db, productId, productFrom(sentFields(request.data)), by);
      if (!product.changes) return { outcome: 'UNCHANGED', productId, changes: null, errors: null };
      const changes = await cellsChanged(db, product, product.changes);
      return { outcome: 'UPDATED', productId, changes, errors: null };
    },
  };
}

async function cellsChanged(
  db: Db,
  product: ChangedProduct,
  { previous, next }: NonNullable<ChangedProduct['changes']>,
): Promise<ChangedCells> {
  const side = async (fields: typeof previous) => ({
    ...product,
    ...fields,
    stockQuantity: fields.stockQuantity ?? null,
    category: fields.categoryId ? await slugOfCategory(db, fields.categoryId) : null,
  });
  return changedCells(await side(previous), await side(next));
}

/** The messages of the JSON API, by column. */
function errorsIn({ issues }: z.ZodError): RefusalDetails {
  const issuesOf = new Map<string, z.core.$ZodIssue[]>();
  for (const issue of issues) {
    const column = columnOf(issue.path);
    issuesOf.set(column, [...(issuesOf.get(column) ?? []), issue]);
  }
  return Object.fromEntries([...issuesOf].map(([column, found]) => [column, messagesOf(found)]));
}
