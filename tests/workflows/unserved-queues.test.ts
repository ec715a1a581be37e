import { outboxSenderProcess } from '../../workflows/administration/outbox/outbox-sender.contract';
import { paymentRefundProcess } from '../../workflows/commerce/refund/payment-refund.contract';
import { eventually } from '../support/checks/eventually';
import { startWorld, type World } from '../support/worlds/world';
import { placed } from './commerce/sales';
import { given } from '../support/builders/given';

/** Nobody serves a queue of a provider: every call must end by itself, time in the queue included. */
let world: World;
let windowMs: number | null = null;
beforeAll(async () => {
  world = await startWorld({
    queues: ['interactive', 'batch'],
    variables: { PAYMENT_PROVIDER: 'stripe', STRIPE_SECRET_KEY: 'sk_test_1' },
    fakes: (real) => ({
      async placeOrder(order) {
        const answer = await real.placeOrder(order);
        if (windowMs === null) return answer;
        const payBy = new Date(Date.now() + windowMs).toISOString();
        return { ...answer, standing: { ...answer.standing, payBy } };
      },
    }),
  });
});
afterAll(() => world.teardown());

/** The call of that name that waits for a worker: its queue, its limits in seconds: all tries, one try, a heartbeat. */
async function waitingCall(workflowId: string, name: string) {
  const { events } = await world.temporal.workflow.getHandle(workflowId).fetchHistory();
  const scheduled = events!
    .map(({ activityTaskScheduledEventAttributes: attributes }) => attributes)
    .find((attributes) => attributes?.activityType?.name === name);
  return {
    queue: String(scheduled?.taskQueue?.name),
    seconds: Number(scheduled?.scheduleToCloseTimeout?.seconds),
    oneTry: Number(scheduled?.startToCloseTimeout?.seconds),
    heartbeat: Number(scheduled?.heartbeatTimeout?.seconds),
  };
}

test('a page is given up after five seconds: the order stands and the answer has none', async () => {
  windowMs = null;
  const sold = await placed(world);
  expect(sold.placed.payment.paymentUrl).toBeNull();
  expect(sold.placed.standing.status).toBe('PENDING_PAYMENT');
});

test('a look-up is given up after two minutes, so that stock is released', async () => {
  windowMs = 1_000;
  const sold = await placed(world);
  await eventually(async () =>
    expect(await waitingCall(sold.checkout.workflowId, 'lookUpPayments')).toEqual({
      queue: 'providers:stripe:lookup',
      seconds: 120,
      oneTry: 55,
      heartbeat: 20,
    }),
  );
});

test('a refund is handed to a person after half an hour', async () => {
  const order = await given(world.db).order().paid().cancelled();
  await world.processes.start(paymentRefundProcess, order);
  await eventually(async () =>
    expect(await waitingCall(paymentRefundProcess.id(order), 'sendRefund')).toMatchObject({
      queue: 'providers:sandbox',
      seconds: 1_800,
      oneTry: 50,
    }),
  );
});

test('the sender of mail asks again after half an hour', async () => {
  await world.processes.start(outboxSenderProcess, {});
  await eventually(async () =>
    expect(await waitingCall(outboxSenderProcess.id({}), 'sendOutbox')).toMatchObject({
      queue: 'providers:mail',
      seconds: 1_800,
    }),
  );
});
