import { KEYED_CODES, SEALED_COLUMNS } from '../../../db/sealing/rotation/sealed-columns';
import { rows } from '../../../db/sql/query';
import { ownDatabase } from '../../support/servers/database';

const own = ownDatabase();

const columnsWhere = async (condition: string): Promise<string[]> =>
  (
    await rows<{ name: string }>(
      own.db,
      `SELECT table_name || '.' || column_name AS name FROM information_schema.columns
        WHERE table_schema = 'public' AND ${condition} ORDER BY 1`,
    )
  ).map(({ name }) => name);

test('every column of bytes is sealed, and listed for a change of keys', async () => {
  const listed = SEALED_COLUMNS.map(({ table, column }) => `${table}.${column}`);
  expect(listed).toEqual(await columnsWhere(`data_type = 'bytea'`));
});

test('every keyed code is listed with the name of its key', async () => {
  const codes = KEYED_CODES.map(({ table, mac }) => `${table}.${mac}`);
  expect(codes).toEqual(await columnsWhere(`column_name LIKE '%\\_mac'`));
  const keys = KEYED_CODES.map(({ table, macKey }) => `${table}.${macKey}`);
  expect(await columnsWhere(`column_name LIKE '%\\_key' AND data_type = 'text'`)).toEqual(
    expect.arrayContaining(keys),
  );
});

test('every listed key is the primary key, a uuid, by which windows are read', async () => {
  for (const { table, key } of [...SEALED_COLUMNS, ...KEYED_CODES])
    expect(
      await rows(
        own.db,
        `SELECT a.attname AS key, format_type(a.atttypid, a.atttypmod) AS type
           FROM pg_index i JOIN pg_attribute a ON a.attrelid = i.indrelid AND a.attnum = ANY (i.indkey)
          WHERE i.indrelid = $1::regclass AND i.indisprimary`,
        [table],
      ),
    ).toEqual([{ key, type: 'uuid' }]);
});
