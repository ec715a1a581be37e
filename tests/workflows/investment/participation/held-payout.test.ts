import { v7 } from 'uuid';
import { execute } from '../../../../db/sql/query';
import { refusalIn } from '../../../../workflows/errors';
import { tryEventAgain } from '../../../../workflows/commerce/webhook/webhook-event.contract';
import { providerEventProcess } from '../../../../workflows/investment/provider-event/provider-event.contract';
import {
  requestWithdrawal,
  withdrawalProcess,
} from '../../../../workflows/investment/withdrawal/withdrawal.contract';
import { PROVIDER_QUEUES } from '../../../../workers/queues';
import { reporting } from '../../../activities/investment/provider-event/reporting';
import { discard } from '../../../support/builders/investing/discarding';
import { participationState, walletMinor } from '../../../support/builders/investing/investors';
import { make } from '../../../support/builders/make';
import { eventually } from '../../../support/checks/eventually';
import { keepHistory } from '../../../support/checks/histories';
import { violations } from '../../../support/checks/violations';
import { startSkippingWorld, type SkippingWorld } from '../../../support/worlds/skipping-world';
import { patient } from '../../commerce/sales';
import { holds, person } from './participations';

let world: SkippingWorld;
/** The number of times that a maturity was carried out, or put off. */
let maturities = 0;
beforeAll(async () => {
  world = await startSkippingWorld({
    queues: ['interactive', 'ingest', ...PROVIDER_QUEUES],
    fakes: (real) => ({
      matureParticipation(participation) {
        maturities += 1;
        return real.matureParticipation(participation);
      },
    }),
  });
});
beforeEach(() => {
  maturities = 0;
});
afterAll(async () => {
  expect(await violations(world.db)).toEqual([]);
  await world.teardown();
});

const DAY_MS = 86_400_000;

/** An investment of 1,000 for 90 days that is mature in an hour, of which its provider reports that it has paid out 100. */
async function reportedTooSmall() {
  const strategy = await make.strategy(world.db);
  const userId = await person(world.db, 1_000_00);
  const { participationId, process } = await holds(world, { strategyId: strategy.id, userId });
  const investmentExternalId = v7();
  await execute(world.db, 'UPDATE participations SET external_id = $2 WHERE id = $1', [
    participationId,
    investmentExternalId,
  ]);
  const { store, row } = reporting(world.db, strategy.providerCode);
  await world.sleep(90 * DAY_MS - 3_600_000);
  const id = v7();
  const data = { investmentExternalId, externalId: v7(), amount: 100, status: 'WITHDRAWN' };
  const webhookEventId = await store({ id, type: 'investment.withdrawn', data });
  const event = { provider: strategy.providerCode, externalEventId: id, webhookEventId };
  await world.processes.start(providerEventProcess, event);
  await eventually(async () => expect(await row(webhookEventId)).toMatchObject({ status: 'WAITING' }));
  return {
    ...{ participationId, userId, process, event },
    report: patient(world).workflow.getHandle(providerEventProcess.id(event)),
    is: async (status: string, wallet: number) => {
      await eventually(async () =>
        expect(await participationState(world.db, participationId)).toMatchObject({ status }),
      );
      expect(await walletMinor(world.db, userId)).toBe(wallet);
    },
  };
}

test('a participation whose provider reports too small a payout does not mature until the report is dead', async () => {
  const { participationId, userId, process, report, is } = await reportedTooSmall();
  await world.sleep(2 * DAY_MS);
  await is('ACTIVE', 0);
  expect(maturities).toBeLessThanOrEqual(3);
  const { currentDetails } = await process.query<{ currentDetails: string }>('__temporal_workflow_metadata');
  expect(currentDetails).toContain('a payout that its provider reported is to be decided first');

  const withdrawalId = v7();
  const request = { withdrawalId, participationId, userId, label: 'Withdrawal' };
  const refused = await world.processes
    .open(
      withdrawalProcess,
      request,
      requestWithdrawal,
      { method: 'BALANCE', acceptPenalty: true, detailsNoteId: null },
      { updateId: v7() },
    )
    .catch((error: unknown) => refusalIn(error));
  expect(refused).toMatchObject({ code: 'WITHDRAWAL_NOT_ALLOWED', reason: 'PAYOUT_REPORTED' });

  const before = (await world.now()).getTime();
  await world.sleep(DAY_MS + 7_200_000);
  expect(await report.result()).toBe('DEAD');
  expect(await process.result()).toBe('MATURED');
  await is('MATURED', 1_000_00);
  expect((await world.now()).getTime() - before).toBeLessThan(1.5 * DAY_MS);
  await keepHistory(process, 'held-by-a-payout');
  await keepHistory(report, 'dead-after-holding');
});

test('once a person confirms it, it ends the participation with its amount', async () => {
  const { process, report, event, is } = await reportedTooSmall();
  await world.sleep(DAY_MS);
  await is('ACTIVE', 0);
  await execute(world.db, 'UPDATE webhook_events SET confirmed_at = now() WHERE id = $1', [
    event.webhookEventId,
  ]);
  await report.signal(tryEventAgain);
  expect(await report.result()).toBe('PROCESSED');
  expect(await process.result()).toBe('WITHDRAWN');
  await is('WITHDRAWN', 100_00);
});

test('once a person discards it, it matures at once', async () => {
  const { process, report, event, is } = await reportedTooSmall();
  await world.sleep(DAY_MS);
  await is('ACTIVE', 0);
  const before = (await world.now()).getTime();
  expect(await discard(world.db, event.webhookEventId)).toBe('DISCARDED');
  await report.signal(tryEventAgain);
  expect(await report.result()).toBe('DISCARDED');
  expect(await process.result()).toBe('MATURED');
  await is('MATURED', 1_000_00);
  expect((await world.now()).getTime() - before).toBeLessThan(3_600_000);
});
