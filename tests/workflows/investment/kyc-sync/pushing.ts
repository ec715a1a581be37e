import { kycSyncActivities } from '../../../../activities/investment/kyc-sync/kyc-sync.activities';
import { outbound } from '../../../../activities/providers/outbound/outbound';
import { firstRow } from '../../../../db/sql/query';
import { startOptions } from '../../../../workflows/kit/process';
import {
  kycPushProcess,
  type KycPushResult,
} from '../../../../workflows/investment/kyc-sync/kyc-push.contract';
import { make } from '../../../support/builders/make';
import { Cleanup } from '../../../support/run/cleanup';
import { makeAuthority } from '../../../support/fakes/authority';
import { Investor } from '../../../support/fakes/investor';
import { startWorld, type World } from '../../../support/worlds/world';

/** A world whose workers trust the authority of the investors' certificates. */
export interface PushingWorld {
  world: World;
  /** The authority of the certificates. */
  ca: string;
  /** A new provider with an API and a page for users of its own, and a strategy. */
  investor: () => Promise<{ code: string; strategyId: string; strategyCode: string; api: Investor }>;
  /** Starts a push. */
  start: (providerCode: string, slot: string) => ReturnType<World['temporal']['workflow']['start']>;
  /** Pushes and waits for the end. */
  push: (providerCode: string, slot: string) => Promise<KycPushResult>;
  /** The state of the last push to a provider, for operators. */
  syncOf: (providerCode: string) => Promise<object | null>;
  teardown: () => Promise<void>;
}

/** Short, since some providers never answer. */
const TOTAL_MS = 1_500;

export async function startPushingWorld(): Promise<PushingWorld> {
  const cleanup = new Cleanup();
  const authority = makeAuthority();
  const client = outbound({ isPrivateAllowed: true, ca: authority.ca, totalMs: TOTAL_MS });
  const world: World = await startWorld({
    worker: false,
    fakes: () =>
      kycSyncActivities({
        db: world.db,
        outbound: client,
        policy: { kycPushesPerMinute: 60_000 },
      }),
  });
  cleanup.add(() => world.teardown());
  await world.work();
  const start: PushingWorld['start'] = (providerCode, slot) =>
    world.temporal.workflow.start(kycPushProcess.type, startOptions(kycPushProcess, { providerCode, slot }));
  return {
    world,
    ca: authority.ca,
    start,
    async investor() {
      const { code, webhookSecret, ssoKey } = await make.provider(world.db);
      const api = new Investor(authority, webhookSecret);
      api.signIn = { ssoKey, issuer: 'marketplace-platform', audience: `${code}.example` };
      await api.listen();
      cleanup.add(() => api.close());
      await world.db.sequelize.query('UPDATE investment_providers SET api_base = $2 WHERE code = $1', {
        bind: [code, api.apiBase],
      });
      const { id: strategyId, strategyCode } = await make.strategy(world.db, { providerCode: code });
      return { code, strategyId, strategyCode, api };
    },
    push: async (providerCode, slot) => (await start(providerCode, slot)).result() as Promise<KycPushResult>,
    syncOf: (providerCode) =>
      firstRow(
        world.db,
        `SELECT slot, accepted, refused, problem, ended_at IS NOT NULL AS ended, completed_at IS NOT NULL AS completed
           FROM kyc_syncs WHERE provider_code = $1`,
        [providerCode],
      ),
    teardown: () => cleanup.run(),
  };
}
