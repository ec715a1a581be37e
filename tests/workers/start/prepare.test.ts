import { Client, Connection } from '@temporalio/client';
import { onceServing } from '../../../db/program/temporal/once-serving';
import { prepareTemporal } from '../../../workers/prepare';
import { QUEUES } from '../../../workers/queues';
import { schedules } from '../../../workers/schedule-table';
import { startProcesses } from '../../../workers/start';
import { CONSUMER_NAMES } from '../../../workflows/administration/domain-event/consumers.rules';
import { GrpcStatus } from '../../../workflows/grpc-status';
import { eventually } from '../../support/checks/eventually';
import { TemporalProxy } from '../../support/fakes/temporal-proxy';
import { connectTemporal, type TestTemporal } from '../../support/servers/temporal';

let temporal: TestTemporal;
let proxy: TemporalProxy;
let connection: Connection;
/** Methods whose next call is too slow for the server. */
const slow = new Set<string>();
beforeAll(async () => {
  temporal = await connectTemporal();
  proxy = await TemporalProxy.open(temporal.address, (method) =>
    slow.delete(method) ? GrpcStatus.DEADLINE_EXCEEDED : undefined,
  );
  connection = Connection.lazy({ address: proxy.address });
});
afterAll(async () => {
  await connection.close();
  await proxy.close();
  await temporal.close();
});

test('a worker that starts while the server is slow tries again until everything is there, once', async () => {
  const client = new Client({ connection, namespace: temporal.namespace });
  const lines: string[] = [];
  const log = { warn: (...[facts]: unknown[]) => void lines.push(String((facts as { err: unknown }).err)) };
  for (const method of [
    ...['AddSearchAttributes', 'ListSchedules', 'DescribeSchedule', 'CreateSchedule'],
    ...['UpdateSchedule', 'StartWorkflowExecution'],
  ])
    slow.add(method);
  const preparing = { connection, client, start: startProcesses(client), queues: QUEUES, log };
  await onceServing(() => prepareTemporal(preparing), { log, signal: new AbortController().signal });
  expect([...slow]).toEqual([]);
  expect(lines.length).toBeGreaterThanOrEqual(6);
  expect(lines.join('\n')).toContain('Failed to describe schedule');

  await eventually(async () => {
    const listed: string[] = [];
    for await (const { scheduleId } of temporal.client.schedule.list()) listed.push(scheduleId);
    expect(listed.sort()).toEqual(schedules.map(({ id }) => id).sort());
    const { count } = await temporal.client.workflow.count(`ExecutionStatus = 'Running'`);
    // Schedules may have started more.
    expect(count).toBeGreaterThanOrEqual(1 + CONSUMER_NAMES.length);
  });
});
