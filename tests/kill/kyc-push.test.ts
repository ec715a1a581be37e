import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { execute, rows } from '../../db/sql/query';
import { startOptions } from '../../workflows/kit/process';
import { kycPushProcess } from '../../workflows/investment/kyc-sync/kyc-push.contract';
import { manyInvestors } from '../support/builders/investing/many-investors';
import { make } from '../support/builders/make';
import { eventually } from '../support/checks/eventually';
import { makeAuthority } from '../support/fakes/authority';
import { Investor } from '../support/fakes/investor';
import { startKillingWorld, type KillingWorld } from '../support/worlds/killing-world';

const USERS = 10_000;
const MOST_GROWTH_BYTES = 64 * 2 ** 20;
const authority = makeAuthority();

let world: KillingWorld;
let folder: string;
let api: Investor;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'authority-'));
  const ca = join(folder, 'ca.pem');
  await writeFile(ca, authority.ca);
  world = await startKillingWorld({
    variables: {
      ...{ NODE_EXTRA_CA_CERTS: ca, PROVIDER_PRIVATE_ADDRESSES: 'true' },
      POLICY_KYC_PUSHES_PER_MINUTE: '3000',
    },
  });
});
afterAll(async () => {
  api.close();
  await world.teardown();
  await rm(folder, { recursive: true, force: true });
});

const memory = async (): Promise<number> => {
  const page = await (await fetch(`${world.workerUrl}/metrics`)).text();
  return Number(/^process_resident_memory_bytes (\S+)$/m.exec(page)?.[1]);
};

test('a worker killed in the middle of a push over 10,000 users: each is told once, and memory stays flat', async () => {
  const { db } = world;
  const { code, webhookSecret } = await make.provider(db);
  api = new Investor(authority, webhookSecret);
  await api.listen();
  await execute(db, 'UPDATE investment_providers SET api_base = $2 WHERE code = $1', [code, api.apiBase]);
  const users = await manyInvestors(db, (await make.strategy(db, { providerCode: code })).id, USERS);

  // One message is accepted by the provider, and the worker dies before it hears so.
  const arrived = new Promise<void>((resolve) => {
    const swallowing = () => resolve();
    api.replies = [...Array.from({ length: 30 }, () => Investor.accepts), swallowing];
  });
  const key = { providerCode: code, slot: '2026-11-23T06' };
  await world.temporal.workflow.start(kycPushProcess.type, startOptions(kycPushProcess, key));
  await arrived;
  await world.worker.kill();
  expect(await rows(db, 'SELECT 1 FROM kyc_pushes')).toHaveLength(3_000);

  await world.worker.start();
  await eventually(() => expect(api.received.length).toBeGreaterThan(35));
  const before = await memory();
  const handle = world.temporal.workflow.getHandle(kycPushProcess.id(key));
  expect(await handle.result()).toEqual({ accepted: USERS, refused: 0 });
  expect((await memory()) - before).toBeLessThan(MOST_GROWTH_BYTES);

  expect(api.rejected).toEqual([]);
  expect(api.told.sort()).toEqual(users);
  // The batch that was on its way came twice, under one id, with the same users.
  expect(api.received).toHaveLength(USERS / 100 + 1);
  expect(api.received[31]).toEqual(api.received[30]);
  expect(await rows(db, 'SELECT 1 FROM kyc_pushes')).toHaveLength(USERS);
});
