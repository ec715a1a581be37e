import { randomUUID } from 'node:crypto';
import { Client, Connection } from '@temporalio/client';
import { msToTs } from '@temporalio/common/lib/time';
import pino from 'pino';
import { StartRefused } from '../../../db/program/start-guard';
import { StartStopped } from '../../../db/program/temporal/once-serving';
import { registerAttributes } from '../../../api/http/temporal/register-attributes';
import { Processes, TemporalUnavailable } from '../../../api/http/temporal/temporal';
import { temporalConnection } from '../../../api/http/temporal/temporal-connection';
import { checkoutProcess, payOrder } from '../../../workflows/commerce/checkout/checkout.contract';
import { GrpcStatus } from '../../../workflows/grpc-status';
import { eventually } from '../../support/checks/eventually';
import { TemporalProxy } from '../../support/fakes/temporal-proxy';
import { provided } from '../../support/run/provided';

/** A log, and the messages in it. */
function listened() {
  const messages: string[] = [];
  const log = pino({}, { write: (line) => messages.push((JSON.parse(line) as { msg: string }).msg) });
  return { log, messages };
}

describe('a namespace that does not know our search attributes', () => {
  let connection: Connection;
  const namespace = `test-${randomUUID()}`;
  beforeAll(async () => {
    connection = await Connection.connect({ address: provided('TEST_TEMPORAL_ADDRESS') });
    const workflowExecutionRetentionPeriod = msToTs('1 day');
    await connection.workflowService.registerNamespace({ namespace, workflowExecutionRetentionPeriod });
  });
  afterAll(() => connection.close());

  it('refuses starts, which counts as Temporal being away, until they are registered', async () => {
    const processes = new Processes(new Client({ connection, namespace }));
    const input = { orderId: randomUUID(), userId: randomUUID() };
    const command = { attemptId: randomUUID(), paymentMethod: 'CARD' as const };
    const options = { updateId: randomUUID() };
    await expect(processes.start(checkoutProcess, input)).rejects.toThrow(TemporalUnavailable);
    await expect(processes.open(checkoutProcess, input, payOrder, command, options)).rejects.toThrow(
      TemporalUnavailable,
    );

    const { log, messages } = listened();
    const health = { registering: true };
    const { signal } = new AbortController();
    await registerAttributes(connection, namespace, { health, signal }, log);
    expect([health.registering, messages]).toEqual([false, []]);
    await eventually(async () => expect(await processes.start(checkoutProcess, input)).toMatch(/started$/));
  });
});

it('while they cannot be registered, says so at each attempt and goes on until the program stops', async () => {
  const connection = temporalConnection({ address: '127.0.0.1:1' });
  const { log, messages } = listened();
  const health = { registering: true };
  const stopping = new AbortController();
  const registration = { health, signal: stopping.signal };
  const ended = expect(registerAttributes(connection, 'default', registration, log)).rejects.toThrow(
    StartStopped,
  );
  await eventually(() => expect(messages.length).toBeGreaterThan(1));
  stopping.abort();
  await ended;
  expect(health.registering).toBe(true);
  expect(new Set(messages)).toEqual(new Set(['Temporal does not serve yet; the start is tried again']));
  await connection.close();
});

it('is not ready, and ends, where the server has not got them and does not take them from programs', async () => {
  const address = provided('TEST_TEMPORAL_ADDRESS');
  const server = await Connection.connect({ address });
  const namespace = `test-${randomUUID()}`;
  const workflowExecutionRetentionPeriod = msToTs('1 day');
  await server.workflowService.registerNamespace({ namespace, workflowExecutionRetentionPeriod });
  await server.close();
  const cloud = await TemporalProxy.open(address, (method) =>
    method === 'AddSearchAttributes' ? GrpcStatus.PERMISSION_DENIED : undefined,
  );
  const connection = temporalConnection({ address: cloud.address });
  const { log, messages } = listened();
  const health = { registering: true };
  const { signal } = new AbortController();
  await expect(registerAttributes(connection, namespace, { health, signal }, log)).rejects.toThrow(
    StartRefused,
  );
  expect([health.registering, messages]).toEqual([true, []]);
  await connection.close();
  await cloud.close();
});
