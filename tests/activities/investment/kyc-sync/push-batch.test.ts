import { pushBatch } from '../../../../activities/investment/kyc-sync/push-batch';
import { outbound } from '../../../../activities/providers/outbound/outbound';
import { beginSync, endSync, takeTurn } from '../../../../db/investment/kyc-push/kyc-sync.writes';
import { updateProvider } from '../../../../db/investment/provider/provider.writes';
import { investmentFigures } from '../../../../db/administration/operations/investment-figures.reads';
import { execute, firstRow } from '../../../../db/sql/query';
import { inTransaction } from '../../../../db/sql/transaction';
import type { KycPushBatchResult } from '../../../../workflows/investment/kyc-sync/kyc-push.contract';
import { PROVIDER_CALL_MS, PROVIDER_STEP_MS } from '../../../../workflows/kit/limits/provider-times';
import { manyInvestors } from '../../../support/builders/investing/many-investors';
import { make } from '../../../support/builders/make';
import { makeAuthority } from '../../../support/fakes/authority';
import { Investor, replies } from '../../../support/fakes/investor';
import { Cleanup } from '../../../support/run/cleanup';
import { ownDatabase } from '../../../support/servers/database';

const own = ownDatabase();
const cleanup = new Cleanup();
const authority = makeAuthority();
const client = outbound({ isPrivateAllowed: true, ca: authority.ca });
afterAll(() => cleanup.run());

/** A provider, each of whose answers takes this long by the clock of the batches, and users who invest there. */
async function slowProvider(users: number, { answerMs = 0, perMinute = 60_000 } = {}) {
  const { code: providerCode, webhookSecret } = await make.provider(own.db);
  const { id: strategyId } = await make.strategy(own.db, { providerCode });
  const api = new Investor(authority, webhookSecret);
  await api.listen();
  cleanup.add(() => api.close());
  await execute(own.db, 'UPDATE investment_providers SET api_base = $2 WHERE code = $1', [
    providerCode,
    api.apiBase,
  ]);
  const ids = await manyInvestors(own.db, strategyId, users);
  let waitedMs = 0;
  const clock = () => waitedMs + api.received.length * answerMs;
  const sleep = (ms: number): Promise<void> => {
    waitedMs += ms;
    return Promise.resolve();
  };
  const deps = { db: own.db, outbound: client, perMinute, sleep, clock };
  const run = { providerCode, startedAt: new Date() };
  const at = run.startedAt.toISOString();
  await beginSync(own.db, { providerCode, slot: '2026-11-23T06', at: run.startedAt });
  const batch = (place: Partial<Pick<KycPushBatchResult, 'after' | 'size'>> = {}) =>
    pushBatch(deps, { providerCode, at, after: null, size: null, ...place });
  return {
    ...{ providerCode, api, ids, run, batch, clock },
    /** Batch after batch to the last user, as the process asks for them; the longest took this time by the clock. */
    pushAll: async () => {
      const sum = { accepted: 0, refused: 0, batches: 0, longestMs: 0 };
      let place: Pick<KycPushBatchResult, 'after' | 'size'> = { after: null, size: null };
      do {
        const began = clock();
        const result = await batch(place);
        sum.accepted += result.accepted;
        sum.refused += result.refused;
        sum.batches += 1;
        sum.longestMs = Math.max(sum.longestMs, clock() - began);
        place = result;
        expect(sum.batches).toBeLessThan(100);
      } while (place.after !== null);
      return sum;
    },
  };
}

const figures = async (code: string) =>
  (await inTransaction(own.db, investmentFigures)).syncs.find(({ provider }) => provider === code);

test('ends by time, and tells everybody behind those whom the provider is slow to refuse, each of them asked for once', async () => {
  const { api, ids, pushAll } = await slowProvider(150, { answerMs: 2_000 });
  const bad = ids.filter((_, index) => index % 4 === 0).slice(0, 25);
  for (const id of bad) api.refusedUsers.add(id);
  const { accepted, refused, batches, longestMs } = await pushAll();
  expect({ accepted, refused }).toEqual({ accepted: 125, refused: 25 });
  expect(batches).toBeGreaterThan(2);
  expect(longestMs).toBeLessThan(PROVIDER_STEP_MS);
  const sentSingly = api.received
    .filter(({ users }) => users.length === 1)
    .map(({ users }) => users[0]!.userId);
  for (const id of bad) expect(sentSingly.filter((one) => one === id)).toHaveLength(1);
});

test('comes to the end where each answer takes as long as it may', async () => {
  const { api, ids, pushAll } = await slowProvider(110, { answerMs: PROVIDER_CALL_MS });
  for (const index of [3, 60]) api.refusedUsers.add(ids[index]!);
  const { accepted, refused, longestMs } = await pushAll();
  expect({ accepted, refused }).toEqual({ accepted: 108, refused: 2 });
  expect(longestMs).toBeLessThan(PROVIDER_STEP_MS);
});

test('a user whom the provider refuses is not sent again where the batch is repeated in the same run', async () => {
  const { api, ids, batch } = await slowProvider(1);
  api.refusedUsers.add(ids[0]!);
  expect(await batch()).toMatchObject({ refused: 1 });
  expect(await batch()).toMatchObject({ refused: 0, after: null });
  expect(api.received).toHaveLength(1);
});

test('leaves to the next batch what has its turn too late, and begins again at its turn', async () => {
  const { api, providerCode, batch, ids } = await slowProvider(2, { perMinute: 2 });
  api.refusedUsers.add(ids[0]!);
  const first = await batch();
  expect(first).toMatchObject({ accepted: 0, refused: 0, size: 1 });
  await expect(batch(first)).rejects.toMatchObject({
    type: 'NotItsTurn',
    nextRetryDelay: expect.any(Number) as number,
  });
  expect(api.received).toHaveLength(1);
  expect(
    await firstRow(own.db, 'SELECT problem FROM kyc_syncs WHERE provider_code = $1', [providerCode]),
  ).toEqual({ problem: null });
});

test('turns that are taken at once are as far apart as the number a minute says, and no turn is lost', async () => {
  const { providerCode } = await slowProvider(0);
  const turn = () => takeTurn(own.db, { providerCode, perMinute: 60, withinMs: 3_500 });
  const turns = await Promise.all(Array.from({ length: 8 }, turn));
  const taken = turns.filter(({ isTaken }) => isTaken).map(({ waitMs }) => Math.round(waitMs / 1_000));
  expect(taken.sort()).toEqual([0, 1, 2, 3]);
  for (const { waitMs } of turns.filter(({ isTaken }) => !isTaken)) expect(waitMs).toBeGreaterThan(3_500 - 1);
});

describe('the figures of a push', () => {
  const end = (run: { providerCode: string; startedAt: Date }, isWhole = true) =>
    endSync(own.db, run, { isWhole, at: new Date() });
  const age = (code: string) =>
    execute(
      own.db,
      `UPDATE investment_providers SET connected_at = now() - interval '20 days', created_at = now() - interval '40 days'
        WHERE code = $1`,
      [code],
    );

  test('a user whom the provider refuses is counted, and is not taken for a provider that is not reached', async () => {
    const { providerCode, api, ids, run, pushAll } = await slowProvider(3);
    await age(providerCode);
    api.refusedUsers.add(ids[1]!);
    await pushAll();
    await end(run);
    const { incompleteSeconds, refusedUsers } = (await figures(providerCode))!;
    expect(refusedUsers).toBe(1);
    expect(incompleteSeconds).toBeLessThan(60);
  });

  test.each([
    ['refuses everything', 401, true],
    ['does not answer until the end', 202, false],
  ])('a provider that %s is not reached', async (_, status, isWhole) => {
    const { providerCode, api, run, pushAll } = await slowProvider(3);
    await age(providerCode);
    api.replies = [replies.status(status)];
    await pushAll();
    await end(run, isWhole);
    const { incompleteSeconds, refusedUsers } = (await figures(providerCode))!;
    expect(refusedUsers).toBe(0);
    expect(incompleteSeconds).toBeGreaterThan(19 * 86_400);
  });

  test.each([
    ['gets its address', { apiBase: null, isActive: true }, { apiBase: 'https://alpha.example/api' }],
    ['is switched on again', { isActive: false }, { isActive: true }],
  ])('begin when a provider %s', async (_, before, after) => {
    const { code } = await make.provider(own.db, before);
    await age(code);
    expect(await figures(code)).toBeUndefined();
    await inTransaction(own.db, (tx) => updateProvider(tx, code, after, new Date()));
    expect((await figures(code))!.incompleteSeconds).toBeLessThan(60);
    await age(code);
    await inTransaction(own.db, (tx) => updateProvider(tx, code, { name: 'Other' }, new Date()));
    expect((await figures(code))!.incompleteSeconds).toBeGreaterThan(19 * 86_400);
  });
});
