import { v7 } from 'uuid';
import {
  webhookSweepActivities,
  type StartProcess,
} from '../../../../activities/commerce/webhook/webhook-sweep.activities';
import { enterSandboxPayments } from '../../../../api/sandbox/enter-payments.command';
import { markSandboxEventDelivered } from '../../../../db/commerce/sandbox/sandbox.writes';
import {
  markWebhookEventsStarted,
  storeWebhookEvent,
} from '../../../../db/commerce/webhook/webhook-event.writes';
import { execute, firstRow } from '../../../../db/sql/query';
import { ownDatabase } from '../../../support/servers/database';

const database = ownDatabase();
const at = '2026-03-01T12:00:00.000Z';
const secondsBefore = (seconds: number): Date => new Date(Date.parse(at) - seconds * 1000);

/** Temporal as the sweep sees it: what was started before stays as it is; some ids may fail. */
function temporal(failing: readonly string[] = []) {
  const started: string[] = [];
  const start: StartProcess = (process, input) => {
    const id = process.id(input);
    if (failing.includes(id)) return Promise.reject(new Error(`no start of ${id}`));
    if (started.includes(id)) return Promise.resolve('already started');
    started.push(id);
    return Promise.resolve('started');
  };
  return { started, sweep: webhookSweepActivities({ db: database.db, start }) };
}

beforeEach(async () => {
  await execute(database.owner, 'TRUNCATE webhook_events, sandbox_events, sandbox_payments');
});

async function stored(externalEventId: string, { known = true, age = 60 } = {}): Promise<string> {
  const event = {
    id: v7(),
    provider: 'sandbox',
    externalEventId,
    type: 'payment.paid',
    body: '{}',
    bodyHash: '',
  };
  return (await storeWebhookEvent(database.db, { ...event, known, at: secondsBefore(age) })).id;
}

const startedAt = async (id: string): Promise<Date | null> =>
  (await firstRow<{ at: Date | null }>(
    database.db,
    'SELECT started_at AS at FROM webhook_events WHERE id = $1',
    [id],
  ))!.at;

describe('payment reports', () => {
  test('what was stored and not started is started, oldest first, and marked', async () => {
    const { started, sweep } = temporal();
    const younger = await stored('younger', { age: 30 });
    const older = await stored('older', { age: 90 });
    expect(await sweep.startForgottenWebhooks({ at })).toEqual({ started: 2, full: false });
    expect(started).toEqual(['webhook:sandbox:older', 'webhook:sandbox:younger']);
    expect(await startedAt(older)).toEqual(new Date(at));
    expect(await startedAt(younger)).toEqual(new Date(at));
  });

  test('run again it finds nothing to do', async () => {
    const { started, sweep } = temporal();
    await stored('once');
    await sweep.startForgottenWebhooks({ at });
    expect(await sweep.startForgottenWebhooks({ at })).toEqual({ started: 0, full: false });
    expect(started).toHaveLength(1);
  });

  test('one that was started before, and only not marked, is marked', async () => {
    const { sweep } = temporal();
    const id = await stored('begun');
    await sweep.startForgottenWebhooks({ at });
    await execute(database.db, 'UPDATE webhook_events SET started_at = NULL');
    expect(await sweep.startForgottenWebhooks({ at })).toEqual({ started: 0, full: false });
    expect(await startedAt(id)).not.toBeNull();
  });

  test('what came in the last ten seconds, what is ignored and what has been started stays as it is', async () => {
    const { started, sweep } = temporal();
    await stored('fresh', { age: 9 });
    await stored('ignored', { known: false });
    await markWebhookEventsStarted(database.db, [await stored('started')], new Date(at));
    await sweep.startForgottenWebhooks({ at });
    expect(started).toEqual([]);
  });

  test('one that cannot be started does not stop the others, and the failure is thrown', async () => {
    const { started, sweep } = temporal(['webhook:sandbox:bad']);
    const bad = await stored('bad', { age: 900 });
    for (let count = 0; count < 25; count++) await stored(`good ${count}`);
    await expect(sweep.startForgottenWebhooks({ at })).rejects.toThrow('no start of webhook:sandbox:bad');
    expect(started).toHaveLength(25);
    expect(await startedAt(bad)).toBeNull();
  });

  test('more than one batch is answered as such', async () => {
    const { started, sweep } = temporal();
    await execute(
      database.db,
      `INSERT INTO webhook_events (id, provider, external_event_id, type, body, body_hash, status, received_at)
       SELECT gen_random_uuid(), 'sandbox', n, 'payment.paid', '{}', '', 'RECEIVED', $1
         FROM generate_series(1, 201) n`,
      [secondsBefore(60)],
    );
    expect(await sweep.startForgottenWebhooks({ at })).toEqual({ started: 200, full: true });
    expect(await sweep.startForgottenWebhooks({ at })).toEqual({ started: 1, full: false });
    expect(new Set(started).size).toBe(201);
  });
});

describe('sandbox reports', () => {
  const pressed = async (age: number, delayMs = 0): Promise<string> => {
    const payment = { key: v7(), amountMinor: 100, currency: 'USD', at: secondsBefore(age) };
    const [report] = await enterSandboxPayments(database.db, payment, () => [{ status: 'PAID', delayMs }]);
    return report!.eventId;
  };

  test('what was recorded and is overdue is sent on its way, with its delay', async () => {
    const { started, sweep } = temporal();
    const overdue = await pressed(60, 2_000);
    await pressed(9);
    await pressed(11, 2_000);
    await markSandboxEventDelivered(database.db, await pressed(60), new Date());
    await pressed(4 * 24 * 3_600);
    expect(await sweep.startForgottenSandboxEvents({ at })).toEqual({ started: 1 });
    expect(started).toEqual([`sandbox-webhook:${overdue}`]);
    expect(await sweep.startForgottenSandboxEvents({ at })).toEqual({ started: 0 });
  });
});
