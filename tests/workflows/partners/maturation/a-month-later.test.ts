import { setPartnerRank } from '../../../../api/admin/partners/membership/set-rank.command';
import { policyFrom } from '../../../../db/policy/config';
import { rows } from '../../../../db/sql/query';
import { commissionEngineProcess } from '../../../../workflows/partners/commission/commission-engine.contract';
import { commissionMaturation } from '../../../../workflows/partners/maturation/commission-maturation.job';
import { startCommissionEngines } from '../../../../workers/commission-engines';
import { startProcesses } from '../../../../workers/start';
import { given } from '../../../support/builders/given';
import { make } from '../../../support/builders/make';
import { eventually } from '../../../support/checks/eventually';
import { violations } from '../../../support/checks/violations';
import { doJob } from '../../../support/worlds/run-job';
import { ownSkippingWorld } from '../../../support/worlds/skipping-world';

let isSold = false;
/** The engines' stretches are short and end with the sale: an activity that runs keeps this server's clock from running ahead. */
const world = ownSkippingWorld({
  fakes: (real) => ({
    takeCommissionEvents: async (stretch) => ({
      ...(await real.takeCommissionEvents({ ...stretch, forMs: 500 })),
      isRetired: isSold,
    }),
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

const ENGINES = policyFrom({}).commissionEngines;

/** The engines have counted everything that happened. */
const counted = (): Promise<void> =>
  eventually(async () =>
    expect(await rows(world.db, 'SELECT type FROM domain_events WHERE taken_at IS NULL')).toEqual([]),
  );

/** Waits without `result()`, which would let time pass. */
async function endEngines(): Promise<void> {
  isSold = true;
  for (let engine = 0; engine < ENGINES; engine++)
    await eventually(async () => {
      const { status } = await world.temporal.workflow
        .getHandle(commissionEngineProcess.id({ engine }))
        .describe();
      expect(status.name).toBe('COMPLETED');
    });
}

/** As the schedule starts it each day. */
const mature = async (): Promise<unknown> => ({
  matured: (await doJob(world.temporal, commissionMaturation)).done,
});

test('two partners, a sale, its commissions, and a month later their money', async () => {
  const { db } = world;
  await startCommissionEngines(startProcesses(world.temporal), ENGINES);
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
  await endEngines();
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
