import { v7 } from 'uuid';
import { execute, firstRow } from '../../../../db/sql/query';
import {
  bankTransferProcess,
  transferOutcome,
} from '../../../../workflows/commerce/payment-event/bank-transfer.contract';
import { paymentEventProcess } from '../../../../workflows/commerce/payment-event/payment-event.contract';
import {
  participationMoved,
  participationProcess,
} from '../../../../workflows/investment/participation/participation.contract';
import { retryStep } from '../../../../workflows/kit/parking.contract';
import { PROVIDER_QUEUES } from '../../../../workers/queues';
import {
  invested,
  investmentState,
  PRINCIPAL_MINOR,
  type Investment,
} from '../../../support/builders/investing/invested';
import { make } from '../../../support/builders/make';
import { noteOf, storedReport } from '../../../support/builders/ordering';
import { eventually } from '../../../support/checks/eventually';
import { keepHistory } from '../../../support/checks/histories';
import { ownCheckedSkippingWorld } from '../../../support/worlds/skipping-world';
import { stored } from '../../../activities/commerce/chargeback/chargebacks';
import { patient } from '../sales';

const world = ownCheckedSkippingWorld({ queues: ['interactive', 'ingest', ...PROVIDER_QUEUES] });

/** Starts the process of a report; answers its handle. */
async function reported(event: Awaited<ReturnType<typeof storedReport>>) {
  await world.processes.start(paymentEventProcess, event);
  return patient(world).workflow.getHandle(paymentEventProcess.id(event));
}

const paid = { amountMinor: PRINCIPAL_MINOR };

test('a report pays a participation once and tells its process; the money twice goes back', async () => {
  const made = await invested(world.db);
  const payment = { ...paid, ...made, paymentId: v7() };
  const process = await reported(await storedReport(world.db, 'PAID', payment));
  expect(await process.result()).toBe('PROCESSED');
  expect(await (await reported(await storedReport(world.db, 'PAID', payment))).result()).toBe('PROCESSED');
  expect(await investmentState(world.db, made.id)).toMatchObject({
    participation: 'ACTIVE PAID',
    refunds: [],
  });
  await keepHistory(process, 'participation-applied');

  const again = await reported(await storedReport(world.db, 'PAID', { ...payment, paymentId: v7() }));
  expect(await again.result()).toBe('PROCESSED');
  expect((await investmentState(world.db, made.id)).refunds[0]).toMatch(/^DUPLICATE_PAYMENT 100000/);
  const refund = await firstRow<{ id: string }>(
    world.db,
    'SELECT id FROM payment_refunds WHERE participation_id = $1',
    [made.id],
  );
  // The sandbox never brought this money, so the return of it parks; its process runs.
  const back = patient(world).workflow.getHandle(`payment-refund:${refund!.id}`);
  await eventually(async () => expect((await back.describe()).type).toBe('paymentRefund'));
  await keepHistory(again, 'participation-returned');
});

test('a chargeback of a running participation waits for an operator, who has seen it', async () => {
  const made = await invested(world.db);
  const payment = { ...paid, ...made, paymentId: v7() };
  await (await reported(await storedReport(world.db, 'PAID', payment))).result();
  const { paymentId, amountMinor } = payment;
  const webhookEventId = await stored(
    world.db,
    'payment.charged_back',
    { orderId: made.id, attemptId: made.attemptId },
    { paymentId, amountMinor, chargebackId: v7() },
  );
  const event = await firstRow<{ provider: string; externalEventId: string }>(
    world.db,
    'SELECT provider, external_event_id FROM webhook_events WHERE id = $1',
    [webhookEventId],
  );
  const process = await reported({ ...event!, webhookEventId });
  await eventually(async () => {
    const { currentDetails } = await process.query<{ currentDetails: string }>(
      '__temporal_workflow_metadata',
    );
    expect(currentDetails).toContain(`The investor's bank took back 1000.00 USD`);
    expect(currentDetails).toContain(made.number);
  });
  await process.executeUpdate(retryStep, { args: [{ noteId: null }] });
  expect(await process.result()).toBe('PROCESSED');
  await keepHistory(process, 'participation-decided');
});

test.each(['paid by card', 'paid by transfer'])(
  'the process of one that nobody followed any more begins anew when it is %s, and sees its maturity',
  async (how) => {
    const made = await invested(world.db, how === 'paid by card' ? {} : { method: 'BANK_TRANSFER' });
    const follower = patient(world).workflow.getHandle(participationProcess.id({ participationId: made.id }));
    await expect(follower.describe()).rejects.toThrow();
    const payer =
      how === 'paid by card'
        ? await reported(await storedReport(world.db, 'PAID', { ...paid, ...made, paymentId: v7() }))
        : (await transferred(made)).process;
    await payer.result();
    await keepHistory(payer, 'participation-begun');
    expect((await follower.describe()).status.name).toBe('RUNNING');
    await execute(world.db, 'UPDATE participations SET matures_at = started_at WHERE id = $1', [made.id]);
    await follower.signal(participationMoved);
    expect(await follower.result()).toBe('MATURED');
    await keepHistory(follower, 'due-at-once');
  },
);

test('a transfer pays a participation and tells its process', async () => {
  const { answer, process } = await transferred(await invested(world.db, { method: 'BANK_TRANSFER' }));
  expect(answer).toEqual({ status: 'ACTIVE', paymentStatus: 'PAID', outcome: 'APPLIED' });
  expect(await process.result()).toBe('APPLIED');
  await keepHistory(process, 'participation-applied');
});

/** Enters a transfer that pays a participation; answers its result and its process. */
async function transferred(made: Investment) {
  const staff = await make.admin(world.db);
  const transfer = {
    captureId: v7(),
    participationId: made.id,
    userId: made.userId,
    amountMinor: PRINCIPAL_MINOR,
    transactionId: `bank-${v7()}`,
    onMismatch: 'REFUSE' as const,
    noteId: await noteOf(world.db, staff.id, null),
  };
  const how = { updateId: v7() };
  const answer = await world.processes.open(bankTransferProcess, transfer, transferOutcome, null, how);
  return { answer, process: patient(world).workflow.getHandle(bankTransferProcess.id(transfer)) };
}
