import { v7 } from 'uuid';
import { firstRow, rows } from '../../../db/sql/query';
import { PROVIDER_QUEUES } from '../../../workers/queues';
import { processOfReport, sendChargeback } from '../../support/builders/chargebacks';
import { invested, investmentState, type Investment } from '../../support/builders/investing/invested';
import { make } from '../../support/builders/make';
import { press, type SandboxButton } from '../../support/builders/sandbox';
import { signIn } from '../../support/builders/sign-in';
import { eventually } from '../../support/checks/eventually';
import { ownCheckedWorld } from '../../support/worlds/world';

let operator: string;
const world = ownCheckedWorld({ queues: ['interactive', 'ingest', ...PROVIDER_QUEUES] });
beforeAll(async () => {
  operator = await signIn(world, await make.admin(world.db));
});

/** A participation by card, after a button of its page was pressed. */
async function pressed(button: SandboxButton): Promise<Investment> {
  const made = await invested(world.db, { publicUrl: world.url });
  await press(world, made.paymentUrl!, button);
  return made;
}
const becomes = (made: Investment, state: object): Promise<void> =>
  eventually(async () => expect(await investmentState(world.db, made.id)).toMatchObject(state));

test('paid by card: it runs', async () => {
  const made = await pressed('pay');
  await becomes(made, { participation: 'ACTIVE PAID', attempts: ['CARD PAID'], refunds: [] });
  const closed = await world.http.get(new URL(made.paymentUrl!).pathname + new URL(made.paymentUrl!).search);
  expect(closed.text).toContain('paid');
});

test('declined: it is cancelled, since it has no other attempt; money that comes after all goes back', async () => {
  const made = await pressed('decline');
  await becomes(made, {
    participation: 'CANCELLED FAILED',
    attempts: ['CARD DECLINED'],
    reservedMinor: 0,
  });
  await press(world, made.paymentUrl!, 'pay');
  await becomes(made, { participation: 'CANCELLED REFUNDED', refunds: ['LATE_PAYMENT 100000 COMPLETED'] });
});

test('paid late: it is cancelled, its capacity is free, and the money goes back', async () => {
  const made = await pressed('pay-late');
  await becomes(made, { participation: 'CANCELLED FAILED', attempts: ['CARD EXPIRED'], reservedMinor: 0 });
  await becomes(made, { participation: 'CANCELLED REFUNDED', refunds: ['LATE_PAYMENT 100000 COMPLETED'] });
});

test('paid twice: it runs, and the second money goes back', async () => {
  const made = await pressed('pay-twice');
  await becomes(made, { participation: 'ACTIVE PAID', refunds: ['DUPLICATE_PAYMENT 100000 COMPLETED'] });
});

test('a chargeback of a running one is a loss, and asks an operator, who has it noted', async () => {
  const made = await pressed('pay');
  await becomes(made, { participation: 'ACTIVE PAID' });
  const chargebackId = v7();
  const event = await sendChargeback(world, { participationId: made.id }, 'payment.charged_back', {
    chargebackId,
  });
  const workflowId = await processOfReport(world.db, event);
  await eventually(async () => {
    const parked = await firstRow<{ reason: string }>(
      world.db,
      'SELECT reason FROM parked_processes WHERE workflow_id = $1',
      [workflowId],
    );
    expect(parked?.reason).toContain(`participation ${made.number}`);
  });
  expect(await investmentState(world.db, made.id)).toMatchObject({ participation: 'ACTIVE PAID' });
  const lost = await rows(
    world.db,
    `SELECT e.amount_minor AS amount FROM ledger_entries e JOIN ledger_transfers t ON t.id = e.transfer_id
       JOIN chargebacks b ON t.kind = 'chargeback' AND t.subject_id = b.id::text
     WHERE b.participation_id = $1 AND b.order_id IS NULL AND e.account = 'losses'`,
    [made.id],
  );
  expect(lost).toEqual([{ amount: -made.amountMinor }]);
  const retried = await world.http
    .post(`/api/v1/admin/operations/${encodeURIComponent(workflowId)}/retry`)
    .auth(operator, { type: 'bearer' })
    .send({});
  expect(retried.status).toBe(200);
  expect(await world.temporal.workflow.getHandle(workflowId).result()).toBe('PROCESSED');

  const back = await sendChargeback(world, { participationId: made.id }, 'payment.chargeback_returned', {
    chargebackId,
  });
  // A busy API may begin the process after it has answered.
  await eventually(async () => {
    const process = world.temporal.workflow.getHandle(await processOfReport(world.db, back));
    expect(await process.result()).toBe('PROCESSED');
  });
  expect(await investmentState(world.db, made.id)).toMatchObject({
    participation: 'ACTIVE PAID',
    refunds: [],
  });
});
