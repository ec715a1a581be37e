import { v7 } from 'uuid';
import { enterSandboxPayments } from '../../../../api/sandbox/enter-payments.command';
import { storeWebhookEvent } from '../../../../db/commerce/webhook/webhook-event.writes';
import { firstRow } from '../../../../db/sql/query';
import { startProcesses } from '../../../../workers/start';
import { webhookSweepProcess } from '../../../../workflows/commerce/webhook/webhook-sweep.contract';
import { eventually } from '../../../support/checks/eventually';
import { startWorld, type World } from '../../../support/worlds/world';

let world: World;

beforeAll(async () => {
  world = await startWorld();
});
afterAll(() => world.teardown());

const aMinuteAgo = (): Date => new Date(Date.now() - 60_000);

async function sweep(): Promise<unknown> {
  await startProcesses(world.temporal)(webhookSweepProcess, {});
  return world.temporal.workflow.getHandle(webhookSweepProcess.id({})).result();
}

test('a report that was stored just before the API died is started by the sweep, once', async () => {
  const externalEventId = v7();
  const body = JSON.stringify({ type: 'payment.paid', data: { key: v7(), paymentId: v7() } });
  const report = { externalEventId, type: 'payment.paid', body, bodyHash: '', known: true };
  const { id } = await storeWebhookEvent(world.db, {
    id: v7(),
    provider: 'sandbox',
    at: aMinuteAgo(),
    ...report,
  });

  expect(await sweep()).toEqual({ started: 1 });
  expect(await sweep()).toEqual({ started: 0 });
  const process = await world.temporal.workflow.getHandle(`webhook:sandbox:${externalEventId}`).describe();
  expect(process.type).toBe('paymentEvent');
  const row = await firstRow<{ at: Date }>(
    world.db,
    'SELECT started_at AS at FROM webhook_events WHERE id = $1',
    [id],
  );
  expect(row!.at).not.toBeNull();
});

test('a press on the sandbox’s page that was recorded and not sent reaches our intake after the sweep', async () => {
  const payment = { key: v7(), amountMinor: 4_999, currency: 'USD', at: aMinuteAgo() };
  const [report] = await enterSandboxPayments(world.db, payment, () => [{ status: 'PAID', delayMs: 0 }]);
  expect(await sweep()).toEqual({ started: 1 });
  const row = await eventually(async () => {
    const found = await firstRow<{ body: string }>(
      world.db,
      'SELECT body FROM webhook_events WHERE external_event_id = $1',
      [report!.eventId],
    );
    if (!found) throw new Error('It has not arrived.');
    return found;
  });
  expect(JSON.parse(row.body).data).toMatchObject({ key: payment.key, amountMinor: 4_999, currency: 'USD' });
});
