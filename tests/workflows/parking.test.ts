import { WorkflowUpdateFailedError, type WorkflowHandle } from '@temporalio/client';
import { ApplicationFailure } from '@temporalio/common';
import { v7 } from 'uuid';
import { firstRow, rows } from '../../db/sql/query';
import { paymentRefundProcess } from '../../workflows/commerce/refund/payment-refund.contract';
import { abandonStep, retryStep } from '../../workflows/kit/parking.contract';
import { searchAttributes } from '../../workflows/kit/search-attributes';
import { PROVIDER_QUEUES } from '../../workers/queues';
import { violations } from '../support/checks/violations';
import { eventually } from '../support/checks/eventually';
import { keepHistory } from '../support/checks/histories';
import { FakeBank } from '../support/fakes/fake-bank';
import { make } from '../support/builders/make';
import { noteOf, orderSteps } from '../support/builders/ordering';
import { startSkippingWorld, type SkippingWorld } from '../support/worlds/skipping-world';
import { patient } from './commerce/sales';
import { given } from '../support/builders/given';

/** Parking is the same for every process; the example is a refund that the bank refuses. */
let world: SkippingWorld;
let bank: FakeBank;
let parking: {
  trouble?: Error | undefined;
  held?: Promise<void> | undefined;
  decisionHeld?: Promise<unknown> | undefined;
  begun: number;
};

beforeAll(async () => {
  world = await startSkippingWorld({
    queues: ['interactive', ...PROVIDER_QUEUES],
    fakes: (real) => ({
      refundProvider: () => Promise.resolve('sandbox'),
      sendRefund: (refund) => orderSteps(world.db, bank).sendRefund(refund),
      abandonRefund: (refund) => orderSteps(world.db, bank).abandonRefund(refund),
      park: async (parked) => {
        parking.begun++;
        await parking.held;
        if (parking.trouble) throw parking.trouble;
        await real.park(parked);
      },
      unpark: async (decided) => {
        await parking.decisionHeld;
        await real.unpark(decided);
      },
    }),
  });
});
afterAll(async () => {
  expect(await violations(world.db)).toEqual([]);
  await world.teardown();
});
beforeEach(() => {
  bank = new FakeBank();
  parking = { begun: 0 };
});

/** A refund whose bank refuses. */
async function refused(): Promise<{
  refundId: string;
  orderId: string;
  userId: string;
  process: WorkflowHandle;
}> {
  bank.mood = 'refuses';
  const refund = await given(world.db)
    .order({ at: (await world.now()).toISOString(), provider: bank })
    .paid()
    .cancelled();
  await world.processes.start(paymentRefundProcess, refund);
  const process = patient(world).workflow.getHandle(paymentRefundProcess.id(refund));
  const { refundId, orderId, userId } = refund;
  return { refundId, orderId, userId, process };
}

const onTheList = ({ workflowId }: WorkflowHandle): Promise<Record<string, unknown> | null> =>
  firstRow(
    world.db,
    `SELECT type, entity_id, order_id, user_id, label, reason, last_error, since FROM parked_processes
     WHERE workflow_id = $1`,
    [workflowId],
  );
const parks = (process: WorkflowHandle): Promise<void> =>
  eventually(async () => expect(await onTheList(process)).not.toBeNull());
const flagOf = async (process: WorkflowHandle): Promise<boolean | undefined> =>
  (await process.describe()).typedSearchAttributes.get(searchAttributes.needsAttention);
const decide = (process: WorkflowHandle, decision: typeof retryStep, noteId: string | null = null) =>
  process.executeUpdate(decision, { args: [{ noteId }] });
const decisionsOn = ({ workflowId }: WorkflowHandle): Promise<unknown[]> =>
  rows(
    world.db,
    `SELECT action, actor_id AS "by", client_address AS "from" FROM audit_records WHERE entity_id = $1 ORDER BY sequence`,
    [workflowId],
  );
const notParked = expect.objectContaining({
  cause: expect.objectContaining({ type: 'NOT_PARKED' }),
}) as unknown;

test('a process that waits for a person is on the list, is flagged, and says why and about what', async () => {
  const { refundId, orderId, userId, process } = await refused();
  await parks(process);
  expect(await onTheList(process)).toEqual({
    type: 'paymentRefund',
    entityId: refundId,
    ...{ orderId, userId, label: `Money back for order ${orderId}` },
    reason: expect.stringContaining('Could not send the money back through the provider.'),
    lastError: 'The provider refuses the refund: the account is closed',
    since: expect.any(Date),
  });
  await eventually(async () => expect(await flagOf(process)).toBe(true));
});

test('the decision is carried out and kept, with who made it', async () => {
  const staff = await make.admin(world.db);
  const { process } = await refused();
  await parks(process);
  bank.mood = 'answers';
  await decide(process, retryStep, await noteOf(world.db, staff.id, null));
  expect(await process.result()).toBe('COMPLETED');
  expect(await onTheList(process)).toBeNull();
  expect(await flagOf(process)).toBe(false);
  expect(await decisionsOn(process)).toEqual([
    { action: 'operation.retry', by: staff.id, from: '192.0.2.7' },
  ]);
});

test('a decision by Temporal’s own tools is nobody’s that we know', async () => {
  const { process } = await refused();
  await parks(process);
  await decide(process, abandonStep);
  expect(await process.result()).toBe('ABANDONED');
  expect(await decisionsOn(process)).toEqual([{ action: 'operation.abandon', by: null, from: null }]);
});

test('a process whose row is missing in the database parks, and ends when it is abandoned', async () => {
  const missing = { refundId: v7(), orderId: v7() };
  await world.processes.start(paymentRefundProcess, missing);
  const process = patient(world).workflow.getHandle(paymentRefundProcess.id(missing));
  await world.sleep('2 hours');
  await parks(process);
  await decide(process, abandonStep);
  expect(await process.result()).toBe('ABANDONED');
  expect(await onTheList(process)).toBeNull();
});

test('a retry that fails as well parks it again', async () => {
  const { process } = await refused();
  await parks(process);
  await decide(process, retryStep);
  await eventually(() => expect(parking.begun).toBe(2));
  await parks(process);
  expect(bank.requests).toEqual(['refund', 'look up', 'refund']);
  await decide(process, abandonStep);
  expect(await process.result()).toBe('ABANDONED');
});

test('a process that is cancelled by Temporal’s own tools ends, and waits for nobody', async () => {
  bank.mood = 'is not reached';
  const refund = await given(world.db)
    .order({ at: (await world.now()).toISOString(), provider: bank })
    .paid()
    .cancelled();
  await world.processes.start(paymentRefundProcess, refund);
  const process = patient(world).workflow.getHandle(paymentRefundProcess.id(refund));
  await eventually(() => expect(bank.requests).not.toEqual([]));
  await process.cancel();
  await expect(process.result()).rejects.toMatchObject({ cause: { name: 'CancelledFailure' } });
  expect(await flagOf(process)).not.toBe(true);
  expect(await onTheList(process)).toBeNull();
});

test('one that is cancelled while it waits for a person leaves the list', async () => {
  const { process } = await refused();
  await parks(process);
  await process.cancel();
  await expect(process.result()).rejects.toMatchObject({ cause: { name: 'CancelledFailure' } });
  await keepHistory(process, 'cancelled-then-unparked');
  expect(await onTheList(process)).toBeNull();
  expect(await flagOf(process)).toBe(false);
  expect(await decisionsOn(process)).toEqual([]);
});

test('a process that does not wait takes no decision', async () => {
  bank.mood = 'is not reached';
  const refund = await given(world.db)
    .order({ at: (await world.now()).toISOString(), provider: bank })
    .paid()
    .cancelled();
  await world.processes.start(paymentRefundProcess, refund);
  const process = patient(world).workflow.getHandle(paymentRefundProcess.id(refund));
  for (const decision of [retryStep, abandonStep])
    await expect(decide(process, decision)).rejects.toEqual(notParked);
  bank.mood = 'answers';
  await world.sleep('1 minute');
  expect(await process.result()).toBe('COMPLETED');
  expect(await decisionsOn(process)).toEqual([]);
});

test('of two decisions at once one is taken', async () => {
  let letGo: () => void = () => undefined;
  parking.held = new Promise((resolve) => (letGo = resolve));
  const { process } = await refused();
  await eventually(() => expect(parking.begun).toBe(1));
  const both = Promise.allSettled([decide(process, abandonStep), decide(process, retryStep)]);
  parking.decisionHeld = both; // The first is carried out only when the second has its answer, however late it comes.
  letGo();
  const outcomes = await both;
  expect(outcomes.map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected']);
  const [refusal] = outcomes.flatMap((one): unknown[] => (one.status === 'rejected' ? [one.reason] : []));
  expect(refusal).toBeInstanceOf(WorkflowUpdateFailedError);
  expect(refusal).toEqual(notParked);
  await eventually(async () => expect(await decisionsOn(process)).toHaveLength(1));
});

test('while the list itself cannot be written, the process waits and does not fail', async () => {
  parking.trouble = ApplicationFailure.create({
    message: 'the database is away',
    nextRetryDelay: '10 minutes',
  });
  const { process } = await refused();
  await eventually(() => expect(parking.begun).toBe(1));
  await world.sleep('9 hours');
  expect(parking.begun).toBeGreaterThan(40);
  expect(await onTheList(process)).toBeNull();
  parking.trouble = undefined;
  await world.sleep('11 minutes');
  await parks(process);
  await decide(process, abandonStep);
  expect(await process.result()).toBe('ABANDONED');
});
