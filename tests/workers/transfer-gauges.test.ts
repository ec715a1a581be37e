import { Registry } from 'prom-client';
import { v7 } from 'uuid';
import { payoutProviders } from '../../activities/providers/payouts';
import { platformFigures } from '../../db/administration/operations/platform-figures.reads';
import { execute } from '../../db/sql/query';
import { platformGauges } from '../../workers/observe/gauges/platform-gauges';
import { PAYOUT_SENDERS } from '../../workers/observe/metrics';
import { BY_HAND } from '../../workflows/commerce/payout/transfer-out.rules';
import { withdrawnByHand } from '../support/builders/investing/withdrawing';
import { payee, payoutSteps, processed } from '../support/builders/paying-out/payees';
import { collected, filed, idOf } from '../support/builders/payouts/bank-files';
import { ownDatabase } from '../support/servers/database';
import { FakePayouts } from '../support/fakes/fake-payouts';
import { providersConfigOf } from '../support/worlds/providers';

const own = ownDatabase();
const DAY = 86_400;

/** The value of a series, as it is exported now; null if there is none. */
async function value(series: string): Promise<number | null> {
  const registry = new Registry();
  platformGauges(registry).show(await platformFigures(own.db, PAYOUT_SENDERS));
  const lines = (await registry.metrics()).split('\n');
  const line = lines.find((candidate) => candidate.startsWith(`${series} `));
  return line === undefined ? null : Number(line.slice(series.length));
}

const underWay = (provider: string) =>
  value(`platform_transfers_under_way_oldest_seconds{provider="${provider}"}`);
const ago = (days: number): Date => new Date(Date.now() - days * DAY * 1_000);
const days = (found: number | null): number | null => found && Math.round((found / DAY) * 100) / 100;

/** A payout that its provider got some days ago, and about which it has said nothing. */
async function unanswered(provider: string, daysAgo: number): Promise<string> {
  const id = await processed(own.db, payoutSteps(own.db, new FakePayouts()), await payee(own.db));
  await execute(own.db, 'UPDATE payouts SET processed_at = $2, provider = $3 WHERE id = $1', [
    id,
    ago(daysAgo),
    provider,
  ]);
  return id;
}

test('nothing is under way: each provider that sends money has a series, which is 0', async () => {
  for (const provider of PAYOUT_SENDERS) expect([provider, await underWay(provider)]).toEqual([provider, 0]);
  expect(await underWay(BY_HAND)).toBeNull();
  expect(await value('platform_bank_file_collected_oldest_seconds')).toBe(0);
  expect(await value('platform_bank_file_unreported_oldest_seconds')).toBe(0);
});

test('the series are those of the providers that send money out', () => {
  const { providers } = payoutProviders(providersConfigOf({ STRIPE_SECRET_KEY: 'sk_test_1' }), own.db);
  expect([...PAYOUT_SENDERS].sort()).toEqual([...providers.keys()].sort());
});

test('a transfer without an answer grows older although its process parks anew each day', async () => {
  const id = await unanswered('stripe', 9);
  await unanswered('stripe', 2);
  await unanswered(BY_HAND, 30);
  await execute(
    own.db,
    `INSERT INTO parked_processes (workflow_id, type, entity_id, reason, last_error, since, run_id)
     VALUES ('payout:' || $1, 'payout', $1, 'x', 'x', now(), 'run')`,
    [id],
  );
  expect(days(await underWay('stripe'))).toBe(9);
  expect(await value('platform_parked_oldest_seconds{type="payout"}')).toBeLessThan(60);
  expect(await underWay('sandbox')).toBe(0);
  expect(await underWay(BY_HAND)).toBeNull();
});

test('withdrawals of investments count since they were asked for; also at a provider that this release does not have', async () => {
  const of = (provider: string, daysAgo: number) => async (id: string) =>
    execute(own.db, 'UPDATE investment_withdrawals SET provider = $2, created_at = $3 WHERE id = $1', [
      ...[id, provider, ago(daysAgo)],
    ]);
  await withdrawnByHand(own.db).then(of('sandbox', 5));
  await withdrawnByHand(own.db).then(of('former', 6));
  await withdrawnByHand(own.db).then(of(BY_HAND, 7));
  expect(days(await underWay('sandbox'))).toBe(5);
  expect(days(await underWay('former'))).toBe(6);
  await execute(
    own.db,
    `UPDATE investment_withdrawals SET status = 'COMPLETED', transfer_reference = $1, ended_at = now() WHERE provider = 'sandbox'`,
    [v7()],
  );
  expect(await underWay('sandbox')).toBe(0);
});

test('transfers for a bank file: since when the first waits for a file, and since when a file waits for its report', async () => {
  const collectedFor = async () => days(await value('platform_bank_file_collected_oldest_seconds'));
  const unreportedFor = async () => days(await value('platform_bank_file_unreported_oldest_seconds'));
  const { fileId, transfers } = await filed(own.db, [100, 200]);
  await execute(own.db, 'UPDATE bank_files SET made_at = $2 WHERE id = $1', [fileId, ago(5)]);
  await filed(own.db, [300]);
  const [first] = await collected(own.db, [400, 500]);
  await execute(own.db, 'UPDATE bank_file_transfers SET created_at = $2 WHERE id = $1', [
    ...[idOf(first!), ago(3)],
  ]);
  expect([await collectedFor(), await unreportedFor()]).toEqual([3, 5]);
  const arrives = (name: string) =>
    execute(own.db, `UPDATE bank_file_transfers SET status = 'ARRIVED', ended_at = now() WHERE id = $1`, [
      idOf(name),
    ]);
  await arrives(transfers[0]!);
  expect(await unreportedFor()).toBe(5);
  await arrives(transfers[1]!);
  expect(await unreportedFor()).toBe(0);
});
