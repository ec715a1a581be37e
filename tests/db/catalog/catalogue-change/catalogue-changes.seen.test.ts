import { execute, rows, type Tx } from '../../../../db/sql/query';
import { inTransaction } from '../../../../db/sql/transaction';
import { ownDatabase } from '../../../support/servers/database';
import { make } from '../../../support/builders/make';

const own = ownDatabase();

/** True if a statement is noted as a change of the catalogue; it is rolled back. */
async function noted(statement: string): Promise<boolean> {
  class Enough extends Error {}
  let found = false;
  const tried = async (tx: Tx): Promise<never> => {
    await execute(tx, statement);
    const notes = await rows(
      tx,
      `SELECT 1 FROM catalogue_changes WHERE transaction_id = pg_current_xact_id()::text::bigint`,
    );
    found = notes.length > 0;
    throw new Enough();
  };
  await expect(inTransaction(own.owner, tried)).rejects.toBeInstanceOf(Enough);
  return found;
}

/** Columns that visitors do not see, or that follow from others. */
const unseen = [
  'products.max_per_line',
  'stock_items.reserved',
  'stock_items.updated_at',
  'stock_items.withdrawn',
];

/** Columns that change only together with another, such as the status of a deleted product. */
const bound = ['products.deleted_at', 'product_images.media_name', 'product_images.thumbnail_media_name'];

const otherValue: Readonly<Record<string, string>> = {
  uuid: 'NULL',
  text: `'AAA'`,
  bigint: '77',
  integer: '77',
  boolean: 'NOT COLUMN',
  'text[]': `'{other}'`,
  'integer[]': `'{7,7,7,7,7}'`,
  jsonb: `'{"other": "thing"}'`,
  'timestamp with time zone': `'2001-01-01'`,
};

beforeAll(async () => {
  const category = await make.category(own.db);
  const product = await make.product(own.db, { categoryId: category.id });
  await make.variant(own.db, product.id);
  await make.image(own.db, product.id);
});

it('a change of any column that visitors see is noted', async () => {
  const columns = await rows<{ table: string; column: string; type: string }>(
    own.db,
    `SELECT c.relname AS table, a.attname AS column, format_type(a.atttypid, a.atttypmod) AS type
     FROM pg_class c JOIN pg_attribute a ON a.attrelid = c.oid AND a.attnum > 0 AND NOT a.attisdropped
     WHERE c.relname IN ('products', 'categories', 'product_images', 'product_variants', 'stock_items')
       AND c.relkind = 'r' AND a.attgenerated = ''
       AND a.attname NOT IN ('id', 'product_id', 'variant_id', 'parent_id')
       AND c.relname || '.' || a.attname <> ALL ($1)`,
    [bound],
  );
  expect(columns.length).toBeGreaterThan(40);
  const silent: string[] = [];
  for (const { table, column, type } of columns) {
    const value = column === 'status' ? `'ARCHIVED'` : (otherValue[type] ?? 'of an unknown type');
    const change = `UPDATE ${table} SET ${column} = ${value.replace('COLUMN', column)}
      WHERE id = (SELECT id FROM ${table} ORDER BY id DESC LIMIT 1)`;
    if (!(await noted(change))) silent.push(`${table}.${column}`);
  }
  expect(silent.sort()).toEqual(unseen);
});

it.each(['categories', 'products', 'product_images', 'product_variants', 'stock_items'])(
  'a change is noted when %s are emptied, and none when no row is touched',
  async (table) => {
    expect(await noted(`TRUNCATE ${table} CASCADE`)).toBe(true);
    expect(await noted(`DELETE FROM ${table} WHERE false`)).toBe(false);
    expect(await noted(`UPDATE ${table} SET id = id WHERE false`)).toBe(false);
  },
);
