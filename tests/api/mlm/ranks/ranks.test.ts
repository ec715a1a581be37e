import { v7 } from 'uuid';
import { execute } from '../../../../db/sql/query';
import { make } from '../../../support/builders/make';
import { insert } from '../../../support/builders/make/insert';
import { signIn } from '../../../support/builders/sign-in';
import { violations } from '../../../support/checks/violations';
import { ownWorld } from '../../../support/worlds/world';
import { outcomeOf } from '../../admin/admin-world';
import { partnerPerson } from '../partner-person';

const world = ownWorld({ worker: false });

/** Sets what the engine counts; points in hundredths. */
const counted = (
  partnerId: string,
  standing: { rank?: number; networkRank?: number; limit?: number; personal?: number; group?: number },
) =>
  execute(
    world.db,
    `UPDATE partner_standings SET rank_level = $2, highest_rank_level = greatest(highest_rank_level, $2),
       network_rank_level = $3, rank_limit = $4, personal_points = $5, group_points = $6 WHERE partner_id = $1`,
    [
      ...[partnerId, standing.rank ?? 1, standing.networkRank ?? standing.rank ?? 1, standing.limit ?? null],
      ...[standing.personal ?? 0, standing.group ?? 0],
    ],
  );

const rank = (level: number, code: string, name: string) => ({ level, code, name });
const starter = rank(1, 'STARTER', 'Starter');
const builder = rank(2, 'BUILDER', 'Builder');
const leader = rank(3, 'LEADER', 'Leader');

test.each(['current', 'progress', 'history'])(
  'GET /mlm/ranks/%s of who is none: NOT_A_PARTNER',
  async (path) => {
    const token = await signIn(world, await make.user(world.db));
    const answer = await world.http.get(`/api/v1/mlm/ranks/${path}`).auth(token, { type: 'bearer' });
    expect(outcomeOf(answer)).toBe('403 NOT_A_PARTNER');
  },
);

test('GET /mlm/ranks/current answers rank, points and what the rank brings', async () => {
  const me = await partnerPerson(world);
  await counted(me.partnerId, { rank: 3, limit: 3, personal: 15_050, group: 1_000_001 });
  await execute(world.db, 'UPDATE partner_standings SET highest_rank_level = 4 WHERE partner_id = $1', [
    me.partnerId,
  ]);
  const { status, body } = await me.get('/ranks/current');
  expect(status).toBe(200);
  expect(body.data).toEqual({
    rank: leader,
    since: expect.any(String) as string,
    highestRank: { ...rank(4, 'DIRECTOR', 'Director'), achievedAt: expect.any(String) as string },
    limitedTo: leader,
    personalPoints: 150.5,
    groupPoints: 10_000.01,
    benefits: { teamRate: 20, profitRate: 2, poolWeight: 1, bonus: 250 },
  });
});

test('GET /mlm/ranks/progress counts the largest leg for at most half, own customers as a leg', async () => {
  const me = await partnerPerson(world);
  const [strong, weak] = [
    await make.partner(world.db, { sponsorId: me.id }),
    await make.partner(world.db, { sponsorId: me.id }),
  ];
  // Group points: 800 of the strong leg, 150 of the weak one, 60 of own customers; 1,000 are needed.
  await counted(strong.id, { networkRank: 2, personal: 80_000, group: 80_000 });
  await counted(weak.id, { personal: 15_000, group: 15_000 });
  await counted(me.partnerId, { networkRank: 2, personal: 6_000, group: 101_000 });
  const first = (await me.get('/ranks/progress')).body.data;
  expect(first).toEqual({
    current: starter,
    next: builder,
    requirements: [
      { name: 'PERSONAL_POINTS', required: 100, achieved: 60, percentage: 60, legRank: null },
      { name: 'GROUP_POINTS', required: 1_000, achieved: 710, percentage: 71, legRank: null },
    ],
  });
  // Now own customers are the largest leg, with 2,000 of 2,950.
  await counted(me.partnerId, { rank: 2, personal: 200_000, group: 295_000 });
  const second = (await me.get('/ranks/progress')).body.data;
  expect(second.requirements).toEqual([
    { name: 'PERSONAL_POINTS', required: 150, achieved: 2_000, percentage: 100, legRank: null },
    { name: 'GROUP_POINTS', required: 10_000, achieved: 2_950, percentage: 29.5, legRank: null },
    { name: 'LEGS', required: 2, achieved: 1, percentage: 50, legRank: builder },
  ]);
  await counted(me.partnerId, { rank: 5 });
  expect((await me.get('/ranks/progress')).body.data).toMatchObject({ next: null, requirements: [] });
});

/** Records a change of rank; by points if `by` is null. */
const change = (partnerId: string, [from, to]: [number, number], at: string, by: string | null) =>
  insert(world.db, 'partner_rank_changes', {
    ...{ id: v7(), partner_id: partnerId, programme_version: 1, from_level: from, to_level: to },
    ...{ changed_by: by, reason: by && 'A reason.', changed_at: new Date(at) },
  });

test('GET /mlm/ranks/history lists own changes, the newest first', async () => {
  const me = await partnerPerson(world);
  const other = await partnerPerson(world);
  const admin = await make.admin(world.db);
  await change(me.partnerId, [1, 3], '2026-05-01T00:00:00.000Z', null);
  await change(me.partnerId, [3, 2], '2026-06-01T00:00:00.000Z', admin.id);
  await change(me.partnerId, [2, 4], '2026-07-01T00:00:00.000Z', null);
  await change(other.partnerId, [1, 2], '2026-07-02T00:00:00.000Z', null);
  // The bonus of each rank is paid once; the first change reached two of them.
  const bonus = (level: number, netMinor: number, status: 'PENDING' | 'REVERSED' = 'PENDING') =>
    make.commission(world.db, {
      ...{ partnerId: me.partnerId, type: 8, sourceId: me.partnerId, level, netMinor, status },
    });
  await bonus(2, 50_00);
  await bonus(3, 250_00);
  await bonus(4, 1_000_00, 'REVERSED');
  const { body } = await me.get('/ranks/history');
  expect(body.data).toEqual({
    history: [
      { rank: rank(4, 'DIRECTOR', 'Director'), achievedAt: '2026-07-01T00:00:00.000Z', bonus: 0 },
      { rank: builder, achievedAt: '2026-06-01T00:00:00.000Z', bonus: 0 },
      { rank: leader, achievedAt: '2026-05-01T00:00:00.000Z', bonus: 300 },
    ],
  });
  expect(body.meta.pagination).toMatchObject({ total: 3 });
  expect((await me.get('/ranks/history?pageSize=2&page=2')).body.data.history).toHaveLength(1);
  expect((await other.get('/ranks/history')).body.data.history).toHaveLength(1);
  const current = (await me.get('/ranks/current')).body.data;
  expect(current.since).toBe('2026-07-01T00:00:00.000Z');
});

test('a bonus is shown at the change that brought it, which is one by points', async () => {
  const me = await partnerPerson(world);
  const admin = await make.admin(world.db);
  await change(me.partnerId, [1, 3], '2026-05-01T00:00:00.000Z', admin.id);
  await change(me.partnerId, [3, 2], '2026-06-01T00:00:00.000Z', admin.id);
  await change(me.partnerId, [2, 3], '2026-07-01T00:00:00.000Z', null);
  await make.commission(world.db, {
    ...{ partnerId: me.partnerId, type: 8, sourceId: me.partnerId, level: 3, netMinor: 250_00 },
  });
  const { history } = (await me.get('/ranks/history')).body.data as { history: { bonus: number }[] };
  expect(history.map(({ bonus }) => bonus)).toEqual([250, 0, 0]);
});

test('changes of rank are in the order in which they were made, whatever the clocks of the workers said', async () => {
  const me = await partnerPerson(world);
  await change(me.partnerId, [1, 2], '2026-05-01T00:00:09.000Z', null);
  await change(me.partnerId, [2, 3], '2026-05-01T00:00:01.000Z', null);
  await counted(me.partnerId, { rank: 3 });
  const { history } = (await me.get('/ranks/history')).body.data as { history: { rank: unknown }[] };
  expect(history.map((entry) => entry.rank)).toEqual([leader, builder]);
  expect((await me.get('/ranks/current')).body.data).toMatchObject({ since: '2026-05-01T00:00:01.000Z' });
  const wrong = await violations(world.db);
  expect(wrong.filter((line) => line.startsWith(`partner-ranks.have-their-history ${me.partnerId}`))).toEqual(
    [],
  );
});
