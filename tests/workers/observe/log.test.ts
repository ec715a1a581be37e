import { Writable } from 'node:stream';
import { createLogger } from '../../../api/http/observe/log';
import { execute } from '../../../db/sql/query';
import { createLog, temporalLogger } from '../../../workers/observe/log';
import { ownDatabase } from '../../support/servers/database';

const database = ownDatabase();

function logged(): { lines: Record<string, unknown>[]; log: ReturnType<typeof temporalLogger> } {
  const lines: Record<string, unknown>[] = [];
  const destination = new Writable({
    write(line: Buffer, _encoding, done) {
      lines.push(JSON.parse(line.toString()));
      done();
    },
  });
  return { lines, log: temporalLogger(createLog('trace', destination)) };
}

it('an error of the database is logged without the statement and its values', async () => {
  const { lines, log } = logged();
  const error: unknown = await execute(
    database.db,
    `INSERT INTO parked_processes (workflow_id, type, entity_id, reason, last_error) VALUES ($1, '', '', '', '')`,
    ['ada@example.com'],
  ).catch((reason: unknown) => reason);
  expect(JSON.stringify(error)).toContain('ada@example.com');
  log.warn('Activity failed', { error, activityType: 'park' });
  expect(lines).toMatchObject([
    { msg: 'Activity failed', activityType: 'park', err: { message: expect.stringContaining('"since"') } },
  ]);
  expect(JSON.stringify(lines)).not.toContain('ada@example.com');
  expect(JSON.stringify(lines)).not.toContain('INSERT INTO');
});

it('uses the field names of the API’s lines, and drops useless fields', () => {
  const { lines, log } = logged();
  log.info('said', {
    trace_id: 'abc',
    span_id: 'd',
    trace_flags: '01',
    workflowRunId: 'r',
    taskToken: 'x',
    y: 1,
  });
  expect(lines).toEqual([
    { level: 30, time: expect.any(String), part: 'worker', msg: 'said', traceId: 'abc', runId: 'r', y: 1 },
  ]);
});

it('the API and the worker write one format: time in ISO 8601, level as a number, the program and a described error', () => {
  const lines = [createLog, createLogger].map((create) => {
    let line = '';
    const destination = new Writable({
      write(chunk: Buffer, _encoding, done) {
        line += chunk.toString();
        done();
      },
    });
    create('info', destination).warn({ err: new TypeError('broken') }, 'said');
    return JSON.parse(line) as Record<string, unknown>;
  });
  for (const [i, part] of ['worker', 'api'].entries()) {
    expect(Object.keys(lines[i]!)).toEqual(['level', 'time', 'part', 'err', 'msg']);
    expect(lines[i]).toMatchObject({
      level: 40,
      part,
      msg: 'said',
      err: { type: 'TypeError', message: 'broken' },
    });
    expect(lines[i]!['time']).toMatch(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/);
  }
});
