import { migrationList } from '../../../db/schema/migration-list';
import { execute, rows } from '../../../db/sql/query';
import { ownDatabase } from '../../support/servers/database';

const own = ownDatabase();
const NAME = '0027-archived-products';

/** Brings an empty database to the schema before a migration. */
async function migrateBefore(name: string): Promise<void> {
  await execute(own.owner, 'DROP SCHEMA public CASCADE');
  await execute(own.owner, 'CREATE SCHEMA public');
  const query = own.owner.sequelize.getQueryInterface();
  for (const { up } of migrationList.slice(
    0,
    migrationList.findIndex((migration) => migration.name === name),
  ))
    await up(query);
}

const product = (id: number, sku: string, deletedAt: string | null) =>
  execute(
    own.owner,
    `INSERT INTO products (id, name, slug, sku, description, price_minor, status, commission_bp, career_points_bp,
       created_at, updated_at, deleted_at)
     VALUES ($1, $2, $2, $3, 'It is.', 100, CASE WHEN $4::timestamptz IS NULL THEN 'ACTIVE' ELSE 'ARCHIVED' END,
       0, 0, now(), now(), $4)`,
    [idOf(id), `product-${id}`, sku, deletedAt],
  );

const idOf = (n: number): string => `00000000-0000-4000-8000-${String(n).padStart(12, '0')}`;

const variant = async (id: number, productId: number, sku: string, deletedAt: string | null) => {
  await execute(
    own.owner,
    `INSERT INTO product_variants (id, product_id, name, sku, price_minor, created_at, deleted_at)
     VALUES ($1, $2, 'One', $3, 100, now(), $4)`,
    [idOf(id), idOf(productId), sku, deletedAt],
  );
  await execute(
    own.owner,
    `INSERT INTO stock_items (id, product_id, variant_id, available, withdrawn, updated_at)
     VALUES ($1, $2, $3, 4, $4, now())`,
    [idOf(id + 1000), idOf(productId), idOf(id), deletedAt !== null],
  );
};

const EARLIER = '2026-01-01T00:00:00Z';
const LATER = '2026-02-01T00:00:00Z';

test('products that were deleted come back archived, with variants; whose SKU is taken gets another', async () => {
  await migrateBefore(NAME);
  await product(1, 'REUSED', null);
  await product(2, 'REUSED', EARLIER);
  await product(3, 'TWICE-GONE', EARLIER);
  await product(4, 'TWICE-GONE', LATER);
  await product(5, 'ALONE', LATER);
  await variant(11, 5, 'ALONE-V', LATER);
  await variant(12, 5, 'ALONE-GONE-BEFORE', EARLIER);
  await variant(13, 4, 'REUSED', LATER);
  const migration = migrationList.find(({ name }) => name === NAME)!;
  const query = own.owner.sequelize.getQueryInterface();

  await migration.up(query);
  expect(await rows(own.owner, 'SELECT sku FROM products ORDER BY id')).toEqual([
    { sku: 'REUSED' },
    { sku: `REUSED-${idOf(2)}` },
    { sku: `TWICE-GONE-${idOf(3)}` },
    { sku: 'TWICE-GONE' },
    { sku: 'ALONE' },
  ]);
  const variants = `SELECT v.sku, v.deleted_at IS NULL AS live, s.withdrawn
    FROM product_variants v JOIN stock_items s ON s.variant_id = v.id ORDER BY v.id`;
  expect(await rows(own.owner, variants)).toEqual([
    { sku: 'ALONE-V', live: true, withdrawn: false },
    { sku: 'ALONE-GONE-BEFORE', live: false, withdrawn: true },
    { sku: `REUSED-${idOf(13)}`, live: true, withdrawn: false },
  ]);

  await migration.down(query);
  expect(await rows(own.owner, 'SELECT 1 FROM product_variants WHERE deleted_at IS NULL')).toEqual([]);
  await migration.up(query);
  expect(await rows(own.owner, 'SELECT 1 FROM product_variants WHERE deleted_at IS NULL')).toHaveLength(2);
});
