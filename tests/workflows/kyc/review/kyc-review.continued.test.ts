import { Processes } from '../../../../api/http/temporal/temporal';
import { startTemporal } from '../../../../local/temporal-server/temporal';
import { resolveTemporalCli } from '../../../../local/toolchain/temporal-cli';
import { kycReviewProcess } from '../../../../workflows/kyc/review/kyc-review.contract';
import { eventually } from '../../../support/checks/eventually';
import { keepHistory } from '../../../support/checks/histories';
import { make } from '../../../support/builders/make';
import { begunVerification, verificationState } from '../../../support/builders/kyc/verifying';
import { Cleanup } from '../../../support/run/cleanup';
import { createDatabase } from '../../../support/servers/database';
import { connectTemporal } from '../../../support/servers/temporal';
import { testVariables } from '../../../support/worlds/variables';
import { startWork } from '../../../support/worlds/work';
import type { SkippingWorld } from '../../../support/worlds/skipping-world';
import { reviewerOf, submits } from './review-processes';

/** Reviews on a server that suggests to continue as new after this many events. */
const SUGGESTED_AT = 40;
const cleanup = new Cleanup();
let world: Pick<SkippingWorld, 'db' | 'temporal' | 'processes'>;

beforeAll(() =>
  cleanup.guard(async () => {
    const quiet = (): void => undefined;
    const settings = { 'limit.historyCount.suggestContinueAsNew': SUGGESTED_AT };
    const server = await startTemporal({ cli: await resolveTemporalCli(quiet), log: quiet, settings });
    cleanup.add(server.stop);
    const { client, nativeConnection: connection, close } = await connectTemporal(server.address);
    cleanup.add(close);
    const { db, url: databaseUrl, drop } = await createDatabase();
    cleanup.add(drop);
    const queues = ['interactive'] as const;
    cleanup.add(await startWork({ db, databaseUrl, client, connection, variables: testVariables, queues }));
    world = { db, temporal: client, processes: new Processes(client) };
  }),
);
afterAll(() => cleanup.run());

test('claimed and released very often, it continues as new and is decided all the same', async () => {
  const one = await begunVerification(world.db);
  const reviewer = reviewerOf(world, (await make.admin(world.db)).id);
  await submits(world, one);
  const handle = world.temporal.workflow.getHandle(kycReviewProcess.id(one));
  const { runId: first } = await handle.describe();
  for (let i = 0; i < 8; i++) {
    await reviewer.claim(one);
    await reviewer.release(one);
  }
  await eventually(async () => expect((await handle.describe()).runId).not.toBe(first));
  expect((await reviewer.approve(one)).status).toBe('APPROVED');
  expect(await handle.result()).toBe('APPROVED');
  const { history } = await verificationState(world.db, one.kycId);
  expect(history.filter((action) => action === 'RELEASED')).toHaveLength(8);
  await keepHistory(handle, 'continued', first);
});
