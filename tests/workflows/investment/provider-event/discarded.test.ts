import { v7 } from 'uuid';
import { execute, firstRow } from '../../../../db/sql/query';
import { tryEventAgain } from '../../../../workflows/commerce/webhook/webhook-event.contract';
import { paymentEventProcess } from '../../../../workflows/commerce/payment-event/payment-event.contract';
import { providerEventProcess } from '../../../../workflows/investment/provider-event/provider-event.contract';
import { PROVIDER_QUEUES } from '../../../../workers/queues';
import { reporting } from '../../../activities/investment/provider-event/reporting';
import { discard } from '../../../support/builders/investing/discarding';
import { make } from '../../../support/builders/make';
import { storedReport } from '../../../support/builders/ordering';
import { eventually } from '../../../support/checks/eventually';
import { keepHistory } from '../../../support/checks/histories';
import { ownCheckedSkippingWorld } from '../../../support/worlds/skipping-world';
import { patient } from '../../commerce/sales';

const world = ownCheckedSkippingWorld({ queues: ['interactive', 'ingest', ...PROVIDER_QUEUES] });

/** A profit whose process waits: its investment is not known, or its provider is switched off. */
async function waiting({ switchedOff = false } = {}) {
  const strategy = await make.strategy(world.db);
  const { providerCode: provider } = strategy;
  const investmentExternalId = v7();
  const participation = () =>
    make.participation(world.db, {
      strategyId: strategy.id,
      externalId: investmentExternalId,
      status: 'ACTIVE',
    });
  const switchTo = (isActive: boolean) =>
    execute(world.db, 'UPDATE investment_providers SET is_active = $2 WHERE code = $1', [provider, isActive]);
  if (switchedOff) {
    await participation();
    await switchTo(false);
  }
  const { store, row } = reporting(world.db, provider);
  const id = v7();
  const profit = { externalId: v7(), investmentExternalId, amount: 5 };
  const webhookEventId = await store({ type: 'profit.distributed', data: profit, id });
  const event = { provider, externalEventId: id, webhookEventId };
  await world.processes.start(providerEventProcess, event);
  const process = patient(world).workflow.getHandle(providerEventProcess.id(event));
  await eventually(async () => expect(await row(webhookEventId)).toMatchObject({ status: 'WAITING' }));
  return { event, process, switchTo, participation, row: () => row(webhookEventId) };
}

test('a report that is discarded while it waits ends at once when its process is told', async () => {
  const { event, process, participation, row } = await waiting();
  expect(await discard(world.db, event.webhookEventId)).toBe('DISCARDED');
  await participation();
  await process.signal(tryEventAgain);
  expect(await process.result()).toBe('DISCARDED');
  expect(await row()).toMatchObject({ status: 'DISCARDED', error: 'It is wrong.' });
  await keepHistory(process, 'discarded');
});

test('its process finds out by itself, within the hour, and starting it again changes nothing', async () => {
  const { event, process, row } = await waiting();
  await discard(world.db, event.webhookEventId);
  await world.sleep('61 minutes');
  expect(await process.result()).toBe('DISCARDED');
  await world.processes.startAgain(providerEventProcess, event, tryEventAgain);
  expect(await process.result()).toBe('DISCARDED');
  expect(await row()).toMatchObject({ status: 'DISCARDED' });
});

test('a report of a payment ends in the same way', async () => {
  const event = await storedReport(world.db, 'PAID', { attemptId: v7() });
  await world.processes.start(paymentEventProcess, event);
  const status = () =>
    firstRow<{ status: string }>(world.db, 'SELECT status FROM webhook_events WHERE id = $1', [
      event.webhookEventId,
    ]);
  await eventually(async () => expect(await status()).toEqual({ status: 'WAITING' }));
  await discard(world.db, event.webhookEventId);
  const process = patient(world).workflow.getHandle(paymentEventProcess.id(event));
  await process.signal(tryEventAgain);
  expect(await process.result()).toBe('DISCARDED');
  await keepHistory(process, 'discarded');
});

test('one of a provider that stays switched off is DEAD after three days, and applied when it is replayed after that', async () => {
  const { event, process, switchTo, row } = await waiting({ switchedOff: true });
  await world.sleep('71 hours');
  expect(await row()).toMatchObject({ status: 'WAITING', error: 'Its provider is switched off.' });
  await world.sleep('3 hours');
  expect(await process.result()).toBe('DEAD');
  expect(await row()).toMatchObject({ status: 'DEAD', error: 'Its provider is switched off.' });
  await switchTo(true);
  await world.processes.startAgain(providerEventProcess, event, tryEventAgain);
  expect(await process.result()).toBe('PROCESSED');
  expect(await row()).toMatchObject({ status: 'PROCESSED', error: null });
});

test('one of a provider that is switched on again is applied within the hour', async () => {
  const { process, switchTo } = await waiting({ switchedOff: true });
  await world.sleep('10 hours');
  await switchTo(true);
  await world.sleep('61 minutes');
  expect(await process.result()).toBe('PROCESSED');
});
