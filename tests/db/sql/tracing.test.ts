import { trace } from '@opentelemetry/api';
import { execute, rows, type Db } from '../../../db/sql/query';
import { startTracing, type Tracing } from '../../../db/sql/tracing';
import { inTransaction } from '../../../db/sql/transaction';
import { startCollector, type Collector } from '../../support/servers/collector';
import { ownDatabase } from '../../support/servers/database';

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
}, 10_000);

it('a collector that never answers does not hold up the end', async () => {
  const collector = await startCollector({ silent: true });
  const db = traced(collector.url);
  await underASpan(() => rows(db, `SELECT 1`));
  const begun = performance.now();
  await tracing!.stop();
  expect(performance.now() - begun).toBeLessThan(5_000);
  expect(collector.spans.map(({ name }) => name)).toEqual(['SELECT', 'root']);
  collector.close();
}, 10_000);
