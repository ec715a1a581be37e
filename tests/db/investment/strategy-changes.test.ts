import {
  catalogueTags,
  openCatalogueChannel,
  type CatalogueChannel,
} from '../../../db/catalog/catalogue-change/catalogue-channel';
import {
  countBegun,
  countEnded,
  releaseCapacity,
  reserveCapacity,
} from '../../../db/investment/strategy/strategy-capacity.transitions';
import { execute, rows } from '../../../db/sql/query';
import { inTransaction } from '../../../db/sql/transaction';
import { make } from '../../support/builders/make';
import type { Strategy } from '../../support/builders/make/strategies';
import { ownDatabase } from '../../support/servers/database';

const own = ownDatabase();
const { all, investedIn, investments, strategies } = catalogueTags;
let channel: CatalogueChannel;
let strategy: Strategy;

beforeAll(async () => {
  const nothing = () => undefined;
  channel = await openCatalogueChannel(own.url, { announced: nothing, lost: nothing });
  strategy = await make.strategy(own.db, { totalCapacityMinor: 9_000_00 });
  await make.strategyDocument(own.db, strategy.id);
});
afterAll(() => channel.close());
beforeEach(async () => {
  await channel.changes();
});

const changes = async () => [...(await channel.changes())].sort();

test('a participation changes the page of its strategy, and its popularity once it runs', async () => {
  const { id } = strategy;
  const { id: userId } = await make.user(own.db);
  const participation = await make.participation(own.db, { strategyId: id, userId });
  await changes();
  await inTransaction(own.db, (tx) => reserveCapacity(tx, id, 100));
  expect(await changes()).toEqual([id]);
  const begun = { strategyId: id, userId, amountMinor: 100, id: participation.id };
  await inTransaction(own.db, (tx) => countBegun(tx, begun));
  expect(await changes()).toEqual([id, investedIn(id), investments].sort());
  await inTransaction(own.db, (tx) => countEnded(tx, id, 100));
  expect(await changes()).toEqual([id]);
  await inTransaction(own.db, (tx) => releaseCapacity(tx, id, 100));
  expect(await changes()).toEqual([id]);
});

test('what was refused for capacity changes nothing', async () => {
  expect(await inTransaction(own.db, (tx) => reserveCapacity(tx, strategy.id, 9_999_99))).toBe(false);
  expect(await changes()).toEqual([]);
});

test('a document changes its strategy’s page, a category everything about strategies', async () => {
  const document = await make.strategyDocument(own.db, strategy.id);
  expect(await changes()).toEqual([strategy.id]);
  await execute(own.db, 'DELETE FROM investment_strategy_documents WHERE id = $1', [document]);
  expect(await changes()).toEqual([strategy.id]);
  await make.strategyCategory(own.db);
  expect(await changes()).toEqual([strategies]);
});

test('a new strategy, one that is deleted and a deleted category change everything about strategies', async () => {
  const category = await make.strategyCategory(own.db);
  await changes();
  const { id } = await make.strategy(own.db, { categoryId: category.id });
  expect(await changes()).toEqual([strategies]);
  await execute(own.owner, 'DELETE FROM investment_strategies WHERE id = $1', [id]);
  expect(await changes()).toEqual([strategies]);
  await execute(own.owner, 'DELETE FROM investment_categories WHERE id = $1', [category.id]);
  expect(await changes()).toEqual([strategies]);
});

/** Columns that change only together with another, and a name that visitors do not see but that never changes alone. */
const BOUND = ['investment_strategy_documents.media_name'];

const otherValue: Readonly<Record<string, string>> = {
  bigint: 'COLUMN + 1',
  boolean: 'NOT COLUMN',
  integer: 'COLUMN + 1',
  jsonb: `'[{"period": "2025", "return": 1}]'`,
  text: `'other'`,
  'timestamp with time zone': `'2001-01-01'`,
};

const constrained: Readonly<Record<string, string>> = {
  'investment_strategies.currency': `'EUR'`,
  'investment_strategies.image_media_name': `(SELECT name FROM media LIMIT 1)`,
  'investment_strategies.max_minor': 'NULL',
  'investment_strategies.payout_frequency': `'DAILY'`,
  'investment_strategies.return_expected_bp': 'COLUMN - 1',
  'investment_strategies.return_min_bp': 'COLUMN - 1',
  'investment_strategies.return_type': `'VARIABLE'`,
  'investment_strategies.risk_level': `'LOW'`,
  'investment_strategies.status': `'PAUSED'`,
  'investment_strategies.total_capacity_minor': 'NULL',
  'investment_strategy_documents.type': `'OTHER'`,
};

test('a change of any column is noted', async () => {
  await execute(
    own.db,
    `INSERT INTO media (name, content_type, bytes, width, height, purpose, created_at)
     VALUES (repeat('a', 64), 'image/webp', 1, 1, 1, 'STRATEGY', now())`,
  );
  const columns = await rows<{ table: string; column: string; type: string }>(
    own.db,
    `SELECT c.relname AS table, a.attname AS column, format_type(a.atttypid, a.atttypmod) AS type
     FROM pg_class c JOIN pg_attribute a ON a.attrelid = c.oid AND a.attnum > 0 AND NOT a.attisdropped
     WHERE c.relname IN ('investment_categories', 'investment_strategies', 'investment_strategy_documents')
       AND a.attname NOT IN ('id', 'category_id', 'provider_code', 'strategy_id')
       AND c.relname || '.' || a.attname <> ALL ($1)`,
    [BOUND],
  );
  expect(columns.length).toBeGreaterThan(45);
  const silent: string[] = [];
  await changes();
  for (const { table, column, type } of columns) {
    const name = `${table}.${column}`;
    const value = (constrained[name] ?? otherValue[type] ?? 'of an unknown type').replace('COLUMN', column);
    await execute(
      own.owner,
      `UPDATE ${table} SET ${column} = ${value} WHERE id = (SELECT id FROM ${table} ORDER BY id LIMIT 1)`,
    );
    if ((await changes()).length === 0) silent.push(name);
  }
  expect(silent).toEqual([]);
});

test.each(['investment_categories', 'investment_strategies', 'investment_strategy_documents'])(
  'a change is noted when %s are emptied, and none when no row is touched',
  async (table) => {
    await execute(own.owner, `DELETE FROM ${table} WHERE false`);
    await execute(own.owner, `UPDATE ${table} SET id = id WHERE false`);
    expect(await changes()).toEqual([]);
    await execute(own.owner, `TRUNCATE ${table} CASCADE`);
    expect(await changes()).toContain(all);
  },
);
