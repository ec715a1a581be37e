import { msToTs } from '@temporalio/common/lib/time';
import { firstRow } from '../../db/sql/query';
import { reconciliationProcess } from '../../workflows/commerce/reconciliation/reconciliation.contract';
import { paymentRefundProcess } from '../../workflows/commerce/refund/payment-refund.contract';
import { abandonStep } from '../../workflows/kit/parking.contract';
import { given } from '../support/builders/given';
import { orderState } from '../support/builders/ordering';
import { eventually } from '../support/checks/eventually';
import { FakeBank } from '../support/fakes/fake-bank';
import { ownCheckedWorld } from '../support/worlds/world';
import { parks } from './commerce/refund/refund-processes';

const DAY_MS = 86_400_000;

/** Rows name a provider that no worker has a driver for: it is gone, or comes with the next release. */
const world = ownCheckedWorld();

/** The call of a process that waits for a worker: its queue, and the seconds after which it is given up. */
const waitingCall = (workflowId: string) =>
  eventually(async () => {
    const { raw } = await world.temporal.workflow.getHandle(workflowId).describe();
    const [call] = raw.pendingActivities ?? [];
    expect(call?.activityOptions?.taskQueue).toBeDefined();
    const { taskQueue, scheduleToCloseTimeout } = call!.activityOptions!;
    return {
      queue: taskQueue!.name,
      seconds: Number(scheduleToCloseTimeout!.seconds),
      id: call!.activityId!,
    };
  });

/** Ends the time of a call. The server that skips time does not skip it while a call waits for a worker. */
const endTimeOf = ({ id }: { id: string }, workflowId: string) =>
  world.temporal.workflowService.updateActivityOptions({
    namespace: world.temporal.options.namespace,
    execution: { workflowId },
    id,
    activityOptions: { scheduleToCloseTimeout: msToTs(1_000) },
    updateMask: { paths: ['schedule_to_close_timeout'] },
  });

test('a refund through it waits half an hour for a worker, then parks; the money is still owed', async () => {
  const bank = new FakeBank();
  const order = await given(world.db).order({ provider: bank }).paid().cancelled();
  await world.processes.start(paymentRefundProcess, order);
  const process = world.temporal.workflow.getHandle(paymentRefundProcess.id(order));
  const call = await waitingCall(process.workflowId);
  expect(call).toMatchObject({ queue: 'providers:fake-bank', seconds: 1_800 });
  await endTimeOf(call, process.workflowId);
  await parks(process);
  expect(
    await firstRow(
      world.db,
      'SELECT type, order_id AS "order" FROM parked_processes WHERE workflow_id = $1',
      [process.workflowId],
    ),
  ).toEqual({ type: 'paymentRefund', order: order.orderId });
  expect(bank.requests).toEqual([]);
  expect(await orderState(world.db, order)).toMatchObject({ refunds: ['CANCELLATION PROCESSING'] });
});

test('a comparison with it waits three hours for its statement, then parks', async () => {
  const input = { provider: 'nobody', day: new Date(Date.now() - 3 * DAY_MS).toISOString().slice(0, 10) };
  await world.processes.start(reconciliationProcess, input);
  const process = world.temporal.workflow.getHandle(reconciliationProcess.id(input));
  const call = await waitingCall(process.workflowId);
  expect(call).toMatchObject({ queue: 'providers:nobody:lookup', seconds: 10_800 });
  await endTimeOf(call, process.workflowId);
  await parks(process);
  await process.executeUpdate(abandonStep, { args: [{ noteId: null }] });
  expect(await process.result()).toEqual({ status: 'ABANDONED', differences: 0 });
});
