import { v7 } from 'uuid';
import { firstRow } from '../../../../db/sql/query';
import { participationProcess } from '../../../../workflows/investment/participation/participation.contract';
import { providerEventProcess } from '../../../../workflows/investment/provider-event/provider-event.contract';
import { PROVIDER_QUEUES } from '../../../../workers/queues';
import { reporting, type Report } from '../../../activities/investment/provider-event/reporting';
import { make } from '../../../support/builders/make';
import { patient } from '../../commerce/sales';
import { ownCheckedSkippingWorld } from '../../../support/worlds/skipping-world';

const world = ownCheckedSkippingWorld({ queues: ['interactive', 'ingest', ...PROVIDER_QUEUES] });

test('a payout and a loss that waited for their investment count, though its maturity passed before it was reported', async () => {
  const user = await make.user(world.db, { kycLevel: 'STANDARD' });
  const { providerCode: provider, strategyCode } = await make.strategy(world.db);
  await make.signedIn(world.db, provider, user.id);
  const { store } = reporting(world.db, provider);
  const reported = async (report: Report) => {
    const externalEventId = v7();
    const webhookEventId = await store({ ...report, id: externalEventId });
    const event = { provider, externalEventId, webhookEventId };
    await world.processes.start(providerEventProcess, event);
    return patient(world).workflow.getHandle(providerEventProcess.id(event));
  };
  const externalId = v7();
  const of = { investmentExternalId: externalId };
  const lost = { ...of, externalId: v7(), amount: -100 };
  await reported({ type: 'profit.distributed', data: lost, timestamp: '2026-06-20T00:00:00Z' });
  const paid = { ...of, externalId: v7(), amount: 900, status: 'WITHDRAWN' };
  const payout = await reported({
    ...{ type: 'investment.withdrawn', data: paid, timestamp: '2026-06-30T00:00:00Z' },
  });
  await world.sleep('2 hours');
  const created = { externalId, userId: user.id, strategyCode, amount: 1_000, currency: 'USD' };
  const dates = { startDate: '2026-06-01', maturityDate: '2026-07-01' };
  const investment = await reported({ type: 'investment.created', data: { ...created, ...dates } });
  expect(await investment.result()).toBe('PROCESSED');
  expect(await payout.result()).toBe('PROCESSED');
  const participation = await firstRow<{ id: string }>(
    world.db,
    'SELECT id FROM participations WHERE external_id = $1',
    [externalId],
  );
  const process = participationProcess.id({ participationId: participation!.id });
  expect(await patient(world).workflow.getHandle(process).result()).toBe('WITHDRAWN');
  const received = await firstRow<{ minor: number }>(
    world.db,
    `SELECT sum(amount_minor)::bigint AS minor FROM ledger_entries WHERE user_id = $1 AND account = 'wallet'`,
    [user.id],
  );
  expect(received).toEqual({ minor: 900_00 });
});
