import { v7 } from 'uuid';
import { RequestNote } from '../../../db/administration/idempotency/request-note.model';
import { TaxRate } from '../../../db/commerce/tax/tax-rate.model';
import { models } from '../../../db/schema/models';
import { rows } from '../../../db/sql/query';
import { table } from '../../../db/sql/table';
import { inTransaction } from '../../../db/sql/transaction';
import { ownDatabase } from '../../support/servers/database';

const own = ownDatabase();
const another = ownDatabase();

beforeEach(async () => {
  await table(own.db, TaxRate).remove({});
  await table(own.db, TaxRate).insertAll([
    { country: 'AT', rateBp: 2000 },
    { country: 'DE', rateBp: 1900 },
    { country: 'IT', rateBp: 2200 },
  ]);
});

test('rows are read by equality and by lists, in the order asked, as many as asked', async () => {
  const rates = table(own.db, TaxRate);
  expect(await rates.all(['country'], { country: ['IT', 'AT'] }, { order: [['country', 'DESC']] })).toEqual([
    { country: 'IT' },
    { country: 'AT' },
  ]);
  expect(await rates.one(['rateBp'], {}, { order: [['rateBp', 'ASC']] })).toEqual({ rateBp: 1900 });
  expect(await rates.one(['rateBp'], { country: 'FR' })).toBeNull();
  expect(await rates.count({ rateBp: 2200 })).toBe(1);
});

test('a change and a removal answer how many rows fitted', async () => {
  const rates = table(own.db, TaxRate);
  expect(await rates.update({ rateBp: 2100 }, { country: 'IT', rateBp: 2200 })).toBe(1);
  expect(await rates.update({ rateBp: 2100 }, { country: 'IT', rateBp: 2200 })).toBe(0);
  expect(await rates.remove({ country: ['IT', 'DE', 'FR'] })).toBe(2);
  await rates.insertAll([]);
  expect(await rates.all(['country', 'rateBp'], {})).toEqual([{ country: 'AT', rateBp: 2000 }]);
});

test('what is done in a transaction that fails is undone, and nobody else sees it before', async () => {
  const failing = inTransaction(own.db, async (tx) => {
    await table(tx, TaxRate).insert({ country: 'FR', rateBp: 2000 });
    await table(tx, TaxRate).update({ rateBp: 0 }, { country: 'AT' });
    await table(tx, TaxRate).remove({ country: 'DE' });
    expect(await table(tx, TaxRate).count({})).toBe(3);
    expect(await table(tx, TaxRate).one(['rateBp'], { country: 'AT' })).toEqual({ rateBp: 0 });
    expect(await table(own.db, TaxRate).one(['rateBp'], { country: 'AT' })).toEqual({ rateBp: 2000 });
    throw new Error('undone');
  });
  await expect(failing).rejects.toThrow('undone');
  expect(
    await table(own.db, TaxRate).all(['country', 'rateBp'], {}, { order: [['country', 'ASC']] }),
  ).toEqual([
    { country: 'AT', rateBp: 2000 },
    { country: 'DE', rateBp: 1900 },
    { country: 'IT', rateBp: 2200 },
  ]);
});

test('a row that is read to be changed is held until the transaction ends', async () => {
  await inTransaction(own.db, async (tx) => {
    await table(tx, TaxRate).one(['rateBp'], { country: 'AT' }, { lock: 'NO_KEY_UPDATE' });
    const free = await rows(own.db, `SELECT country FROM tax_rates FOR NO KEY UPDATE SKIP LOCKED`);
    expect(free).not.toContainEqual({ country: 'AT' });
    expect(free).toHaveLength(2);
  });
});

test('a model reads and writes the database that it is asked for, whichever was opened last', async () => {
  await table(another.db, TaxRate).insert({ country: 'FR', rateBp: 2000 });
  expect(await table(own.db, TaxRate).count({ country: 'FR' })).toBe(0);
  expect(await table(another.db, TaxRate).count({ country: 'FR' })).toBe(1);
});

test('values are bound or escaped, so that none is taken for a part of a statement', async () => {
  const note = { id: v7(), actorId: v7(), clientAddress: '127.0.0.1', createdAt: new Date() };
  const text = `it's "quoted", a \\ backslash, $1 and :id; DROP TABLE tax_rates`;
  const notes = table(own.db, RequestNote);
  await notes.insert({ ...note, text });
  expect(await notes.all(['id', 'text'], { text })).toEqual([{ id: note.id, text }]);
  expect(await notes.update({ text: null }, { text })).toBe(1);
  expect(await notes.all(['id'], { text: null })).toEqual([{ id: note.id }]);
});

test('values of a condition make no statements that are prepared one by one', async () => {
  await inTransaction(own.db, async (tx) => {
    for (let rateBp = 1; rateBp <= 5; rateBp++) {
      await table(tx, TaxRate).all(['country'], { rateBp });
      await table(tx, TaxRate).update({ rateBp: rateBp + 1 }, { rateBp });
      await table(tx, TaxRate).remove({ rateBp: [9_000 + rateBp] });
    }
    const prepared = await rows<{ statement: string }>(
      tx,
      `SELECT statement FROM pg_prepared_statements WHERE statement LIKE 'UPDATE "tax_rates"%'
         OR statement ~ '"tax_rates".*9[0-9]{3}'`,
    );
    expect(prepared).toContainEqual({
      statement: 'UPDATE "tax_rates" SET "rate_bp"=$1 WHERE "rate_bp" = $2',
    });
    expect(prepared.filter(({ statement }) => /= \d|9\d{3}/.test(statement))).toEqual([]);
  });
});

test('every model names its columns as rows of SQL name them', () => {
  const columns = models.flatMap((model) =>
    Object.entries(own.db.sequelize.getRepository(model as never).getAttributes()),
  ) as [string, { field: string }][];
  const renamed = ({ field }: { field: string }) =>
    field.replace(/_([a-z0-9])/g, (_, letter: string) => letter.toUpperCase());
  expect(columns.length).toBeGreaterThan(models.length);
  expect(
    columns.filter(([attribute, column]) => renamed(column) !== attribute).map(([attribute]) => attribute),
  ).toEqual([
    // Model has a method of the column's own name.
    'previousValue',
    'nextValue',
  ]);
});
