import { v7 } from 'uuid';
import {
  claimRequest,
  concludeClaim,
  earlierRequest,
  forgetSurplusKeys,
  reopenClaim,
} from '../../../../db/administration/idempotency/idempotency.writes';
import { execute, rows } from '../../../../db/sql/query';
import { ownDatabase } from '../../../support/servers/database';

const own = ownDatabase();
const named = (owner = 'user:ann') => ({ owner, route: 'post /things', key: v7() });
const age = (key: string, interval: string) =>
  execute(own.db, `UPDATE idempotency_keys SET claimed_at = claimed_at - $2::interval WHERE key = $1`, [
    key,
    interval,
  ]);

test('a request that was left open is not taken up by another body under its key', async () => {
  const name = named();
  const first = (await claimRequest(own.db, name, 'one'))!;
  await reopenClaim(own.db, first, { spent: false });
  expect(await claimRequest(own.db, name, 'two')).toBeNull();
  expect(await earlierRequest(own.db, name, 'two')).toEqual({ state: 'another body' });
  expect(await claimRequest(own.db, name, 'one')).not.toBeNull();
});

test('a request whose holder died is not taken up by another body either', async () => {
  const name = named();
  await claimRequest(own.db, name, 'one');
  await age(name.key, '31 seconds');
  expect(await claimRequest(own.db, name, 'two')).toBeNull();
});

test('a holder that was taken for dead concludes nothing while the second is still at work', async () => {
  const name = named();
  const slow = (await claimRequest(own.db, name, 'one'))!;
  await age(name.key, '31 seconds');
  const second = (await claimRequest(own.db, name, 'one'))!;
  expect(await concludeClaim(own.db, slow, 400, '{"slow":true}')).toBe(false);
  await reopenClaim(own.db, slow, { spent: true });
  expect(await earlierRequest(own.db, name, 'one')).toEqual({ state: 'in progress' });
  expect(await concludeClaim(own.db, second, 201, '{}')).toBe(true);
  expect(await earlierRequest(own.db, name, 'one')).toEqual({ state: 'done', status: 201, body: '{}' });
});

test('tries are counted where an outcome is spent, and only there', async () => {
  const name = named();
  const tries: number[] = [];
  for (const spent of [false, true, true, false]) {
    const claim = (await claimRequest(own.db, name, 'one'))!;
    tries.push(claim.tries);
    await reopenClaim(own.db, claim, { spent });
  }
  expect(tries).toEqual([1, 1, 2, 3]);
});

test('of a network’s keys those without an answer are kept, whatever its others ask', async () => {
  const owner = 'network:192.0.2.9';
  const unanswered = (await claimRequest(own.db, named(owner), 'one'))!;
  await reopenClaim(own.db, unanswered, { spent: false });
  for (let i = 0; i < 5; i++)
    await concludeClaim(own.db, (await claimRequest(own.db, named(owner), 'one'))!, 200, '{}');
  expect(await forgetSurplusKeys(own.db, owner, 2)).toBe(3);
  expect(await earlierRequest(own.db, unanswered, 'one')).toEqual({ state: 'open' });
});

test('of a network’s keys the newest are kept, and those in hand', async () => {
  const owner = 'address:192.0.2.7';
  const claims = [];
  for (let i = 0; i < 6; i++) {
    const claim = (await claimRequest(own.db, named(owner), 'one'))!;
    await execute(
      own.db,
      `UPDATE idempotency_keys SET created_at = now() - make_interval(mins => $2) WHERE key = $1`,
      [claim.key, 10 - i],
    );
    claims.push(claim);
    if (i > 0) await concludeClaim(own.db, claim, 200, '{}');
  }
  const other = (await claimRequest(own.db, named('address:192.0.2.8'), 'one'))!;
  expect(await forgetSurplusKeys(own.db, owner, 2)).toBe(3);
  const left = await rows<{ key: string }>(
    own.db,
    `SELECT key FROM idempotency_keys WHERE owner LIKE 'address:%' ORDER BY created_at`,
  );
  expect(left.map(({ key }) => key)).toEqual(
    [claims[0], claims[4], claims[5], other].map((claim) => claim!.key),
  );
});
