import { models } from '../../../db/program/models';
import { rows } from '../../../db/sql/query';
import { ownDatabase } from '../../support/servers/database';

const own = ownDatabase();

interface Column {
  table: string;
  column: string;
  type: string;
  required: boolean;
}

/** The migrations' own bookkeeping has no model. */
const unmodelled = ['schema_migrations'];

const columnsInDatabase = () =>
  rows<Column>(
    own.db,
    `SELECT c.relname AS table, a.attname AS column, format_type(a.atttypid, a.atttypmod) AS type,
            a.attnotnull AS required
       FROM pg_class c JOIN pg_attribute a ON a.attrelid = c.oid AND a.attnum > 0 AND NOT a.attisdropped
       WHERE c.relnamespace = 'public'::regnamespace AND c.relkind = 'r' AND c.relname <> ALL ($1)`,
    [unmodelled],
  );

/** Sequelize's names of types, as PostgreSQL writes them. */
const typeName = (sequelizeType: string): string =>
  sequelizeType.toLowerCase().replace(/^varchar/, 'character varying');

function columnsOfModels(): Column[] {
  return Object.values(own.db.sequelize.models).flatMap((model) =>
    Object.values(model.getAttributes()).map(({ field, type, allowNull, primaryKey }) => ({
      table: model.tableName,
      column: field!,
      type: typeName(type.toString({})),
      required: primaryKey === true || allowNull === false,
    })),
  );
}

const inOrder = (columns: readonly Column[]): string[] =>
  columns
    .map(({ table, column, type, required }) => `${table}.${column} ${type}${required ? ' required' : ''}`)
    .sort();

test('models and migrated schema have the same tables, columns, types and required values', async () => {
  expect(inOrder(columnsOfModels())).toEqual(inOrder(await columnsInDatabase()));
});

test('every model of the list is connected, each to a table of its own', () => {
  const tables = Object.values(own.db.sequelize.models).map(({ tableName }) => tableName);
  expect(new Set(tables).size).toBe(models.length);
});
