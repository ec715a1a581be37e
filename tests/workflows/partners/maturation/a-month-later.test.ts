import { ApplicationFailure } from '@temporalio/common';
import { startConsumers } from '../../../../activities/administration/domain-event/start-forgotten';
import { setPartnerRank } from '../../../../api/admin/partners/membership/set-rank.command';
import { rows } from '../../../../db/sql/query';
import { eventConsumerProcess } from '../../../../workflows/administration/domain-event/event-consumer.contract';
import { commissionMaturation } from '../../../../workflows/partners/maturation/commission-maturation.job';
import { startProcesses } from '../../../../workers/start';
import { given } from '../../../support/builders/given';
import { make } from '../../../support/builders/make';
import { eventually } from '../../../support/checks/eventually';
import { violations } from '../../../support/checks/violations';
import { doJob } from '../../../support/worlds/run-job';
import { ownSkippingWorld } from '../../../support/worlds/skipping-world';

let isSold = false;
/** The engine's stretches are short and end with the sale: an activity that runs keeps this server's clock from running ahead. */
const world = ownSkippingWorld({
  fakes: (real) => ({
    applyEvents: (stretch) => {
      if (isSold) throw ApplicationFailure.create({ message: 'All is sold.', nextRetryDelay: '20 minutes' });
      return real.applyEvents({ ...stretch, forMs: 500 });
    },
  }),
});

const commissions = () =>
  rows<{ netMinor: number }>(
    world.db,
    `SELECT p.referral_code AS of, c.type, c.level, c.status, c.net_minor FROM partner_commissions c
       JOIN partners p ON p.id = c.partner_id ORDER BY c.level`,
  );
const balances = () =>
  rows(
    world.db,
    `SELECT p.referral_code AS of, b.account, b.balance_minor FROM ledger_balances b
       JOIN partners p ON p.user_id = b.user_id WHERE b.account LIKE 'partner%' AND b.balance_minor <> 0
      ORDER BY 1, 2`,
  );

/** The engine has counted everything that happened. */
const counted = (): Promise<void> =>
  eventually(async () => expect(await rows(world.db, 'SELECT position FROM event_deliveries')).toEqual([]));

/** Between two tries: one that is ended while its activity runs would keep the clock for good. */
async function endEngine(): Promise<void> {
  isSold = true;
  const engine = world.temporal.workflow.getHandle(eventConsumerProcess.id({ consumer: 'commissions' }));
  await eventually(async () => {
    const { raw } = await engine.describe();
    expect(raw.pendingActivities?.[0]?.lastFailure?.message).toBe('All is sold.');
  });
  await engine.terminate();
}

/** As the schedule starts it each day. */
const mature = async (): Promise<unknown> => ({
  matured: (await doJob(world.temporal, commissionMaturation)).done,
});

test('two partners, a sale, its commissions, and a month later their money', async () => {
  const { db } = world;
  await startConsumers(startProcesses(world.temporal));
  const paula = await make.partner(db, { referralCode: 'PAULA' });
  const amelie = await make.partner(db, { referralCode: 'AMELIE', sponsorId: paula.id });
  await counted();
  // Team sales pay the difference of the ranks' rates, and both begin with the lowest.
  await setPartnerRank(db, {
    ...{ partnerId: paula.id, rankCode: 'DIRECTOR', reason: 'Merit', at: new Date() },
    by: { actorId: (await make.admin(db)).id, clientAddress: null },
  });
  await given(db).order({ discountBp: 0, sponsorId: amelie.id }).paid();
  await counted();
  await endEngine();
  const earned = await commissions();
  expect(earned).toMatchObject([
    { of: 'AMELIE', type: 1, level: 1, status: 'PENDING' },
    { of: 'PAULA', level: 2, status: 'PENDING' },
  ]);
  const [ofAmelie, ofPaula] = earned.map(({ netMinor }) => netMinor);

  await world.sleep('29 days');
  expect(await mature()).toEqual({ matured: 0 });
  expect(await balances()).toEqual([
    { of: 'AMELIE', account: 'partner_pending', balanceMinor: ofAmelie },
    { of: 'PAULA', account: 'partner_pending', balanceMinor: ofPaula },
  ]);

  await world.sleep('2 days');
  expect(await mature()).toEqual({ matured: 2 });
  expect(await commissions()).toEqual(earned.map((one) => ({ ...one, status: 'APPROVED' })));
  expect(await balances()).toEqual([
    { of: 'AMELIE', account: 'partner_available', balanceMinor: ofAmelie },
    { of: 'PAULA', account: 'partner_available', balanceMinor: ofPaula },
  ]);
  expect(await mature()).toEqual({ matured: 0 });
  expect(await violations(db)).toEqual([]);
});
