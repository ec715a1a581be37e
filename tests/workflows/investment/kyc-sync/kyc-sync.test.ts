import { execute } from '../../../../db/sql/query';
import { kycPushProcess } from '../../../../workflows/investment/kyc-sync/kyc-push.contract';
import { kycSync } from '../../../../workflows/investment/kyc-sync/kyc-sync.job';
import { slotOf } from '../../../../workflows/investment/kyc-sync/kyc-sync.rules';
import { manyInvestors } from '../../../support/builders/investing/many-investors';
import { make } from '../../../support/builders/make';
import { eventually } from '../../../support/checks/eventually';
import { doJob } from '../../../support/worlds/run-job';
import { startPushingWorld, type PushingWorld } from './pushing';

let pushing: PushingWorld;
beforeAll(async () => {
  pushing = await startPushingWorld();
});
afterAll(() => pushing.teardown());

test('starts a push for each active provider with an API: one that is down all day stops no other, and heals', async () => {
  const { db, temporal } = pushing.world;
  const [well, down] = [await pushing.investor(), await pushing.investor()];
  const without = await make.provider(db, { apiBase: null });
  const inactive = await make.provider(db, { isActive: false });
  for (const { strategyId } of [well, down]) await manyInvestors(db, strategyId, 3);
  const nobody = 'https://localhost:9/partners/v2';
  await execute(db, 'UPDATE investment_providers SET api_base = $2 WHERE code = $1', [down.code, nobody]);

  const slot = slotOf(new Date());
  const words = (pushes: number) => `Pushes of ${slot} that were started: ${pushes}`;
  expect(await doJob(temporal, kycSync)).toEqual({ done: 2, words: words(2) });
  const handleOf = (providerCode: string, of = slot) =>
    temporal.workflow.getHandle(kycPushProcess.id({ providerCode, slot: of }));
  expect(await handleOf(well.code).result()).toEqual({ accepted: 3, refused: 0 });
  await eventually(async () =>
    expect(await pushing.syncOf(down.code)).toMatchObject({
      problem: expect.stringContaining('ECONNREFUSED') as string,
      ended: false,
    }),
  );
  for (const code of [without.code, inactive.code])
    await expect(handleOf(code).describe()).rejects.toThrow('not found');

  // Started again in the same slot, it leaves the running push as it is.
  expect(await doJob(temporal, kycSync)).toEqual({ done: 1, words: words(1) });
  await handleOf(down.code).terminate('the end of its slot');

  await execute(db, 'UPDATE investment_providers SET api_base = $2 WHERE code = $1', [
    down.code,
    down.api.apiBase,
  ]);
  expect(await pushing.push(down.code, '2026-11-24T00')).toEqual({ accepted: 3, refused: 0 });
  expect(await pushing.push(well.code, '2026-11-24T00')).toEqual({ accepted: 0, refused: 0 });
  expect([well.api.told.length, down.api.told.length]).toEqual([3, 3]);
});
