import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { randomUUID } from 'node:crypto';
import { msToTs } from '@temporalio/common/lib/time';
import { GrpcStatus } from '../../workflows/grpc-status';
import { eventually } from '../support/checks/eventually';
import { TemporalProxy } from '../support/fakes/temporal-proxy';
import { Cleanup } from '../support/run/cleanup';
import { ownDatabase } from '../support/servers/database';
import { connectTemporal, type TestTemporal } from '../support/servers/temporal';
import { programs, type Program } from '../support/worlds/killing-world';

const database = ownDatabase();
let temporal: TestTemporal;
let proxy: TemporalProxy;
/** The refusal of each call; undefined: it is passed on. */
let refusalOf: (method: string) => number | undefined;
let logDir: string;
let cleanup: Cleanup;
beforeAll(async () => {
  temporal = await connectTemporal();
});
beforeEach(async () => {
  cleanup = new Cleanup();
  logDir = mkdtempSync(join(tmpdir(), 'start-'));
  cleanup.add(() => rmSync(logDir, { recursive: true }));
  refusalOf = () => undefined;
  proxy = await TemporalProxy.open(temporal.address, (method) => refusalOf(method));
  cleanup.add(() => proxy.close());
});
afterEach(() => cleanup.run());
afterAll(() => temporal.close());

const begin = (namespace = temporal.namespace) =>
  programs({
    variables: {
      DATABASE_URL: database.url,
      TEMPORAL_ADDRESS: proxy.address,
      TEMPORAL_NAMESPACE: namespace,
      LOG_LEVEL: 'info',
    },
    logDir,
    cleanup,
  });

const logOf = (part: string): string => readFileSync(join(logDir, `${part}.log`), 'utf8');
const statusOf = async (url: string): Promise<number> => (await fetch(url)).status;

/** Ends the program with SIGTERM; answers its exit code and the signal that killed it. */
async function terminated(program: Program): Promise<unknown[]> {
  const exit = program.exit();
  process.kill(program.pid, 'SIGTERM');
  return exit;
}

test.each([
  ['is away', GrpcStatus.UNAVAILABLE],
  ['is slow', GrpcStatus.DEADLINE_EXCEEDED],
])('worker and API that start while Temporal %s live, and are ready once it serves', async (_, code) => {
  refusalOf = () => code;
  const { api, worker, apiUrl, workerUrl } = await begin();
  await Promise.all([api.launch(), worker.launch()]);
  for (const [part, url] of [
    ['api', apiUrl],
    ['worker', workerUrl],
  ] as const)
    await eventually(async () => {
      expect(logOf(part)).toContain('Temporal does not serve yet');
      expect(await statusOf(`${url}/health/live`)).toBe(200);
      expect(await statusOf(`${url}/health/ready`)).toBe(503);
    });
  refusalOf = () => undefined;
  for (const url of [apiUrl, workerUrl])
    await eventually(async () => expect(await statusOf(`${url}/health/ready`)).toBe(200));
  expect(await Promise.all([terminated(api), terminated(worker)])).toEqual([
    [0, null],
    [0, null],
  ]);
});

test('SIGTERM ends both while they wait for Temporal', async () => {
  refusalOf = () => GrpcStatus.UNAVAILABLE;
  const { api, worker, apiUrl, workerUrl } = await begin();
  await Promise.all([api.launch(), worker.launch()]);
  for (const url of [apiUrl, workerUrl])
    await eventually(async () => expect(await statusOf(`${url}/health/live`)).toBe(200));
  expect(await Promise.all([terminated(api), terminated(worker)])).toEqual([
    [0, null],
    [0, null],
  ]);
});

test('a worker whose own connection fails at first tries again', async () => {
  let isPrepared = false;
  refusalOf = (method) => {
    if (method === 'StartWorkflowExecution') isPrepared = true;
    return isPrepared && method === 'GetSystemInfo' && proxy.count(method) <= 2
      ? GrpcStatus.UNAVAILABLE
      : undefined;
  };
  const { worker, workerUrl } = await begin();
  await worker.start();
  expect(logOf('worker')).toContain('Temporal does not serve yet');
  expect(await statusOf(`${workerUrl}/metrics`)).toBe(200);
});

test('both end at once, and say how, where search attributes are missing that they may not create', async () => {
  refusalOf = (method) => (method === 'AddSearchAttributes' ? GrpcStatus.PERMISSION_DENIED : undefined);
  const namespace = `test-${randomUUID()}`;
  const { workflowService } = temporal.client.connection;
  const workflowExecutionRetentionPeriod = msToTs('1 day');
  await workflowService.registerNamespace({ namespace, workflowExecutionRetentionPeriod });
  const { api, worker } = await begin(namespace);
  await Promise.all([api.launch(), worker.launch()]);
  expect(await Promise.all([api.exit(), worker.exit()])).toEqual([
    [1, null],
    [1, null],
  ]);
  for (const [part, name] of [
    ['api', 'API'],
    ['worker', 'worker'],
  ] as const) {
    expect(logOf(part)).toContain(`The ${name} cannot start. Temporal's namespace ${namespace} lacks`);
    expect(logOf(part)).toContain('temporal operator search-attribute create');
  }
});

test('a refused key ends both at once', async () => {
  refusalOf = () => GrpcStatus.PERMISSION_DENIED;
  const { api, worker } = await begin();
  await Promise.all([api.launch(), worker.launch()]);
  expect(await Promise.all([api.exit(), worker.exit()])).toEqual([
    [1, null],
    [1, null],
  ]);
  for (const part of ['api', 'worker']) expect(logOf(part)).toContain('PERMISSION_DENIED');
});

test('when Temporal goes away later, both go on once it is back, and SIGTERM ends both meanwhile', async () => {
  const { api, worker, apiUrl, workerUrl } = await begin();
  await Promise.all([api.start(), worker.start()]);
  refusalOf = () => GrpcStatus.UNAVAILABLE;
  await eventually(async () => expect(await statusOf(`${apiUrl}/health/ready`)).toBe(503));
  expect(await statusOf(`${workerUrl}/health/live`)).toBe(200);
  refusalOf = () => undefined;
  await eventually(async () => expect(await statusOf(`${apiUrl}/health/ready`)).toBe(200));

  refusalOf = () => GrpcStatus.UNAVAILABLE;
  // It asks for the schedules, and has not got them when the worker ends.
  const asked = proxy.count('DescribeSchedule');
  const metrics = fetch(`${workerUrl}/metrics`).catch(() => undefined);
  await eventually(() => expect(proxy.count('DescribeSchedule')).toBeGreaterThan(asked));
  expect(await Promise.all([terminated(api), terminated(worker)])).toEqual([
    [0, null],
    [0, null],
  ]);
  await metrics;
});
