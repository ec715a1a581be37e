import { randomUUID } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
import { Client, Connection } from '@temporalio/client';
import { msToTs } from '@temporalio/common/lib/time';
import pino from 'pino';
import { registerAttributes } from '../../../api/http/temporal/register-attributes';
import { Processes, TemporalUnavailable } from '../../../api/http/temporal/temporal';
import { temporalConnection } from '../../../api/http/temporal/temporal-connection';
import { checkoutProcess, payOrder } from '../../../workflows/commerce/checkout/checkout.contract';
import { eventually } from '../../support/checks/eventually';
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
    const state = { stopping: false, registering: true };
    await registerAttributes(connection, namespace, state, log);
    expect([state.registering, messages]).toEqual([false, []]);
    await eventually(async () => expect(await processes.start(checkoutProcess, input)).toMatch(/started$/));
  });
});

it('while they cannot be registered, says so once and goes on until the program stops', async () => {
  const connection = temporalConnection({ address: '127.0.0.1:1' });
  const { log, messages } = listened();
  const state = { stopping: false, registering: true };
  const tried = jest.spyOn(connection, 'withDeadline');
  const registering = registerAttributes(connection, 'default', state, log);
  while (tried.mock.calls.length < 2) await delay(50);
  state.stopping = true;
  await registering;
  expect(state.registering).toBe(true);
  expect(messages).toEqual(['the search attributes are not registered with Temporal']);
  await connection.close();
});
