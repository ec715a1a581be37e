import { trace } from '@opentelemetry/api';
import { v7 } from 'uuid';
import { RequestNote } from '../../../db/administration/idempotency/request-note.model';
import { TaxRate } from '../../../db/commerce/tax/tax-rate.model';
import { models } from '../../../db/program/models';
import { type Db, execute, firstRow, rows } from '../../../db/sql/query';
import { table } from '../../../db/sql/table';
import { startTracing, type Tracing } from '../../../db/sql/tracing';
import { inTransaction } from '../../../db/sql/transaction';
import { type Collector, startCollector } from '../../support/servers/collector';
import { ownDatabase } from '../../support/servers/database';

describe('statements', () => {
  const own = ownDatabase();

  beforeAll(() =>
    execute(
      own.owner,
      'CREATE TABLE things (id integer PRIMARY KEY, amount bigint, day date, words text[], facts jsonb)',
    ),
  );
  beforeEach(() => execute(own.owner, 'DELETE FROM things'));

  test('says how many rows a statement touched, whatever kind it is', async () => {
    const insert = 'INSERT INTO things (id) SELECT * FROM generate_series(1, $1) ON CONFLICT DO NOTHING';
    expect(await execute(own.owner, insert, [3])).toBe(3);
    expect(await execute(own.owner, insert, [5])).toBe(2);
    expect(await execute(own.owner, insert, [5])).toBe(0);
    expect(
      await execute(own.owner, `WITH more AS (SELECT 6 AS id) INSERT INTO things (id) SELECT id FROM more`),
    ).toBe(1);
    expect(await execute(own.owner, 'UPDATE things SET amount = 1 WHERE id > $1', [4])).toBe(2);
    expect(await execute(own.owner, 'DELETE FROM things WHERE id > 100')).toBe(0);
    expect(await execute(own.owner, 'DELETE FROM things')).toBe(6);
  });

  test('values go and come back as they are, and never become part of the statement', async () => {
    const nasty = `'; DROP TABLE things; -- $1 :name ?`;
    const bind = [1, 2 ** 53 - 1, '2026-02-28', ['a', nasty], { [nasty]: [null, 1.5] }];
    expect(await execute(own.owner, 'INSERT INTO things VALUES ($1, $2, $3, $4, $5)', bind)).toBe(1);
    expect(await firstRow(own.owner, 'SELECT * FROM things')).toEqual({
      id: 1,
      amount: 2 ** 53 - 1,
      day: '2026-02-28',
      words: ['a', nasty],
      facts: { [nasty]: [null, 1.5] },
    });
  });

  test('no row is null, or an empty list', async () => {
    expect(await firstRow(own.owner, 'SELECT * FROM things')).toBeNull();
    expect(await rows(own.owner, 'SELECT * FROM things')).toEqual([]);
  });
});

describe('tables', () => {
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
    expect(await rates.all(['country'], { country: ['IT', 'AT'] }, { order: [['country', 'DESC']] })).toEqual(
      [{ country: 'IT' }, { country: 'AT' }],
    );
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
    const note = { id: v7(), actorId: v7(), text: null, createdAt: new Date() };
    const text = `it's "quoted", a \\ backslash, $1 and :id; DROP TABLE tax_rates`;
    const notes = table(own.db, RequestNote);
    await notes.insert({ ...note, clientAddress: text });
    expect(await notes.all(['id', 'clientAddress'], { clientAddress: text })).toEqual([
      { id: note.id, clientAddress: text },
    ]);
    expect(await notes.update({ clientAddress: '' }, { clientAddress: text })).toBe(1);
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
});

describe('tracing', () => {
  const database = ownDatabase();
  const NOWHERE = 'http://127.0.0.1:9';

  let problems: string[];
  let tracing: Tracing | undefined;
  const traced = (endpoint: string): Db => {
    problems = [];
    tracing = startTracing({ service: 'test', endpoint, warn: (problem) => problems.push(problem) });
    return { ...database.db, watch: tracing.watch };
  };
  const underASpan = <T>(work: () => Promise<T>): Promise<T> =>
    trace.getTracer('test').startActiveSpan('root', async (span) => {
      try {
        return await work();
      } finally {
        span.end();
      }
    });
  afterEach(() => tracing?.stop());

  describe('with a collector', () => {
    let collector: Collector;
    beforeEach(async () => {
      collector = await startCollector();
    });
    afterEach(() => collector.close());

    it('shows statements with their rows and never their values, each under its transaction', async () => {
      const db = traced(`${collector.url}/`);
      await underASpan(async () => {
        await rows(db, `SELECT *\n  FROM unnest($1::text[])`, [['ottilie', 'eve']]);
        await inTransaction(db, (tx) =>
          execute(tx, `DELETE FROM parked_processes WHERE type = $1`, ['ottilie']),
        );
      });
      await tracing!.stop();
      const spanOf = (name: string) => collector.spans.find((span) => span.name === name)!;
      const root = spanOf('root').spanId;
      expect(spanOf('SELECT')).toMatchObject({
        parentSpanId: root,
        attributes: { 'db.statement': 'SELECT * FROM unnest($1::text[])', 'db.rows': 2 },
      });
      expect(spanOf('TRANSACTION')).toMatchObject({ parentSpanId: root });
      expect(spanOf('DELETE')).toMatchObject({
        parentSpanId: spanOf('TRANSACTION').spanId,
        attributes: { 'db.rows': 0 },
      });
      expect(collector.received.join()).not.toContain('ottilie');
    });

    it('an error goes on to the caller; the span tells its kind and not its text', async () => {
      const db = traced(collector.url);
      await underASpan(() => expect(rows(db, `SELECT $1::uuid`, ['ottilie'])).rejects.toThrow('ottilie'));
      await tracing!.stop();
      expect(collector.received.join()).toContain('SequelizeDatabaseError');
      expect(collector.received.join()).not.toContain('ottilie');
    });

    it('what belongs to no request or activity leaves nothing', async () => {
      await rows(traced(collector.url), `SELECT 1`);
      await tracing!.stop();
      expect(collector.received).toEqual([]);
    });
  });

  it('a collector that is not there troubles nobody, and is told of', async () => {
    const db = traced(NOWHERE);
    expect(await underASpan(() => rows(db, `SELECT 1 AS one`))).toEqual([{ one: 1 }]);
    await tracing!.stop();
    expect(problems).not.toEqual([]);
  });

  it('a collector that never answers does not hold up the end', async () => {
    const collector = await startCollector({ silent: true });
    const db = traced(collector.url);
    await underASpan(() => rows(db, `SELECT 1`));
    const begun = performance.now();
    await tracing!.stop();
    expect(performance.now() - begun).toBeLessThan(5_000);
    expect(collector.spans.map(({ name }) => name)).toEqual(['SELECT', 'root']);
    collector.close();
  });
});
