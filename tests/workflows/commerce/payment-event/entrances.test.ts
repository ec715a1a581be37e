import { firstRow } from '../../../../db/sql/query';
import { bankTransferProcess } from '../../../../workflows/commerce/payment-event/bank-transfer.contract';
import { paymentEventProcess } from '../../../../workflows/commerce/payment-event/payment-event.contract';
import { PROVIDER_QUEUES } from '../../../../workers/queues';
import { make } from '../../../support/builders/make';
import { storedReport } from '../../../support/builders/ordering';
import { membershipState } from '../../../support/builders/partnering/joining';
import { keepHistory } from '../../../support/checks/histories';
import { ownCheckedSkippingWorld } from '../../../support/worlds/skipping-world';
import { FEE_MINOR, joins, processOf, transfers } from '../../partners/membership/entrances';
import { patient } from '../sales';

const world = ownCheckedSkippingWorld({
  queues: ['interactive', 'ingest', ...PROVIDER_QUEUES],
  variables: { PARTNER_ENTRANCE_FEE: '49.90' },
});

const PAID = { partner: 'ACTIVE', entrances: ['PAID PAID'], events: ['entrance.paid', 'partner.joined'] };

test('a report pays an entrance fee once and tells its process', async () => {
  const { id } = await make.user(world.db);
  await joins(world, id);
  const attempt = await firstRow<{ id: string }>(
    world.db,
    'SELECT id FROM payment_attempts WHERE entrance_id IN (SELECT id FROM partner_entrances WHERE user_id = $1)',
    [id],
  );
  const payment = { attemptId: attempt!.id, amountMinor: FEE_MINOR };
  const event = await storedReport(world.db, 'PAID', payment);
  await world.processes.start(paymentEventProcess, event);
  const report = patient(world).workflow.getHandle(paymentEventProcess.id(event));
  expect(await report.result()).toBe('PROCESSED');
  expect(await processOf(world, id).result()).toBe('JOINED');
  expect(await membershipState(world.db, id)).toMatchObject({
    ...PAID,
    attempts: ['CARD PAID'],
    refunds: [],
  });
  await keepHistory(report, 'entrance-applied');
});

test('a transfer pays an entrance fee and tells its process', async () => {
  const { id } = await make.user(world.db);
  await joins(world, id, { paymentMethod: 'BANK_TRANSFER' });
  expect(await transfers(world, id)).toEqual({ status: 'PAID', paymentStatus: 'PAID', outcome: 'APPLIED' });
  expect(await processOf(world, id).result()).toBe('JOINED');
  expect(await membershipState(world.db, id)).toMatchObject({ ...PAID, refunds: [] });
  const capture = await firstRow<{ id: string }>(
    world.db,
    `SELECT id FROM payment_captures WHERE entrance_id IN (SELECT id FROM partner_entrances WHERE user_id = $1)`,
    [id],
  );
  const transfer = patient(world).workflow.getHandle(bankTransferProcess.id({ captureId: capture!.id }));
  expect(await transfer.result()).toBe('APPLIED');
  await keepHistory(transfer, 'entrance-applied');
});
