import { Client, Connection, ScheduleNotFoundError } from '@temporalio/client';
import { msToTs } from '@temporalio/common/lib/time';
import { randomUUID } from 'node:crypto';
import { onceServing, StartStopped } from '../../../db/program/temporal/once-serving';
import { registerSearchAttributes } from '../../../db/program/temporal/search-attributes';
import { GrpcStatus } from '../../../workflows/grpc-status';
import { eventually } from '../../support/checks/eventually';
import { TemporalProxy } from '../../support/fakes/temporal-proxy';
import { connectTemporal, type TestTemporal } from '../../support/servers/temporal';

let temporal: TestTemporal;
let proxy: TemporalProxy;
let connection: Connection;
beforeAll(async () => {
  temporal = await connectTemporal();
});
afterEach(async () => {
  await connection.close();
  await proxy.close();
});
afterAll(() => temporal.close());

/** A connection without the SDK's retries, by a frontend that refuses some calls. */
async function connectBy(refusalOf: Parameters<typeof TemporalProxy.open>[1]): Promise<void> {
  proxy = await TemporalProxy.open(temporal.address, refusalOf);
  connection = Connection.lazy({ address: proxy.address, interceptors: [] });
}

/** A run of the work, with the lines that it logs. */
function begin(work: () => Promise<unknown>) {
  const lines: { err?: Error }[] = [];
  const log = { warn: (facts: object) => void lines.push(facts) };
  const stop = new AbortController();
  return { lines, stop: () => stop.abort(), done: onceServing(work, { log, signal: stop.signal }) };
}

const register = (namespace = temporal.namespace) => registerSearchAttributes(connection, namespace);

test.each(['UNAVAILABLE', 'DEADLINE_EXCEEDED', 'RESOURCE_EXHAUSTED'] as const)(
  'a server that refuses the first calls as %s is asked again, and each failure is logged',
  async (name) => {
    await connectBy((_method, count) => (count <= 2 ? GrpcStatus[name] : undefined));
    const { lines, done } = begin(() => register());
    await done;
    expect(proxy.calls).toEqual(Array(3).fill('AddSearchAttributes'));
    expect(lines.map(({ err }) => err?.message)).toEqual(Array(2).fill(expect.stringContaining(name)));
  },
);

test('a server that does not answer within the deadline of the work is asked again', async () => {
  await connectBy((_method, count) => (count === 1 ? 'never' : undefined));
  const { lines, done } = begin(() => connection.withDeadline(Date.now() + 2_000, () => register()));
  // The next deadlines may be too short for a busy machine; then there are more attempts.
  await done;
  expect(lines.length).toBeGreaterThan(0);
  expect(proxy.calls).toHaveLength(lines.length + 1);
});

test('a namespace that does not exist yet is waited for, by raw calls and those of a client', async () => {
  await connectBy(() => undefined);
  const namespace = `later-${randomUUID()}`;
  const client = new Client({ connection, namespace });
  const raw = begin(() => register(namespace));
  const byClient = begin(() => client.schedule.getHandle('none').describe());
  const refused = expect(byClient.done).rejects.toThrow(ScheduleNotFoundError);
  await eventually(() => expect([raw.lines.length > 0, byClient.lines.length > 0]).toEqual([true, true]));
  await connection.workflowService.registerNamespace({
    namespace,
    workflowExecutionRetentionPeriod: msToTs('1 day'),
  });
  await raw.done;
  await refused;
});

test.each(['PERMISSION_DENIED', 'INVALID_ARGUMENT', 'FAILED_PRECONDITION'] as const)(
  'a refusal as %s ends it at once',
  async (name) => {
    await connectBy(() => GrpcStatus[name]);
    const { lines, done } = begin(() => connection.workflowService.listNamespaces({}));
    await expect(done).rejects.toThrow(name);
    expect([lines, proxy.calls]).toEqual([[], ['ListNamespaces']]);
  },
);

describe('the signal ends it at once', () => {
  test('while a call waits for its answer', async () => {
    await connectBy(() => 'never');
    const { stop, done } = begin(() => register());
    const ended = expect(done).rejects.toThrow(StartStopped);
    await eventually(() => expect(proxy.calls).toHaveLength(1));
    stop();
    await ended;
  });

  test('between two attempts', async () => {
    await connectBy(() => GrpcStatus.UNAVAILABLE);
    const { lines, stop, done } = begin(() => register());
    const ended = expect(done).rejects.toThrow(StartStopped);
    await eventually(() => expect(lines).toHaveLength(1));
    stop();
    await ended;
    expect(proxy.calls).toHaveLength(1);
  });

  test('before the first, which is then not made', async () => {
    await connectBy(() => undefined);
    const work = jest.fn(() => register());
    const signal = AbortSignal.abort();
    await expect(onceServing(work, { log: { warn: () => undefined }, signal })).rejects.toThrow(StartStopped);
    expect(work).not.toHaveBeenCalled();
  });
});
