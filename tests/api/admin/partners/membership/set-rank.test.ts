import type { Response } from 'supertest';
import { firstRow, rows } from '../../../../../db/sql/query';
import { make } from '../../../../support/builders/make';
import { signIn } from '../../../../support/builders/sign-in';
import { owedMessages } from '../../../../support/checks/mail';
import { ownCheckedWorld } from '../../../../support/worlds/world';

let clerk: { id: string; token: string };
const world = ownCheckedWorld({ worker: false });
beforeAll(async () => {
  const admin = await make.admin(world.db);
  clerk = { id: admin.id, token: await signIn(world, admin) };
});

const decide = async (id: string, move: string, body: object, token = clerk.token): Promise<Response> =>
  world.http.post(`/api/v1/admin/partners/${id}/${move}`).auth(token, { type: 'bearer' }).send(body);

const standingOf = (id: string) =>
  firstRow(
    world.db,
    `SELECT rank_level AS rank, rank_limit AS limit, highest_rank_level AS highest, network_rank_level AS network
     FROM partner_standings WHERE partner_id = $1`,
    [id],
  );
const rank = (id: string, rankCode: string): Promise<Response> =>
  decide(id, 'rank', { rankCode, reason: 'Merit' });

test('a rank set by hand rises and falls, with the network ranks of all above', async () => {
  const top = await make.partner(world.db);
  const [left, right] = [
    await make.partner(world.db, { sponsorId: top.id }),
    await make.partner(world.db, { sponsorId: top.id }),
  ];
  const low = await make.partner(world.db, { sponsorId: left.id });
  const answer = await rank(low.id, 'DIRECTOR');
  expect([answer.status, answer.body.data]).toEqual([
    200,
    {
      id: low.id,
      previousRank: { name: 'Starter', code: 'STARTER' },
      rank: { name: 'Director', code: 'DIRECTOR' },
      ...{ changedAt: expect.any(String), changedBy: clerk.id },
    },
  ]);
  await rank(right.id, 'BUILDER');
  expect(await standingOf(top.id)).toEqual({ rank: 1, limit: null, highest: 1, network: 4 });
  await rank(low.id, 'STARTER');
  expect(await standingOf(low.id)).toEqual({ rank: 1, limit: 1, highest: 4, network: 1 });
  expect(await standingOf(left.id)).toEqual({ rank: 1, limit: null, highest: 1, network: 1 });
  expect(await standingOf(top.id)).toEqual({ rank: 1, limit: null, highest: 1, network: 2 });
  await rank(low.id, 'BUILDER');
  expect(await standingOf(low.id)).toEqual({ rank: 2, limit: null, highest: 4, network: 2 });
  expect(
    await rows(
      world.db,
      `SELECT from_level, to_level, changed_by, reason FROM partner_rank_changes WHERE partner_id = $1 ORDER BY number`,
      [low.id],
    ),
  ).toEqual(
    [
      [1, 4],
      [4, 1],
      [1, 2],
    ].map(([fromLevel, toLevel]) => ({ fromLevel, toLevel, changedBy: clerk.id, reason: 'Merit' })),
  );
});

/** The mails about the rank of a partner, the oldest first. */
const lettersTo = (id: string) =>
  owedMessages(world.db, `reference LIKE 'partner:' || $1 || ':ranked:%'`, [id]);

test('the same rank again ends a limit, and is no change: nobody is mailed', async () => {
  const { id } = await make.partner(world.db);
  await rank(id, 'LEADER');
  await rank(id, 'BUILDER');
  expect(await standingOf(id)).toMatchObject({ rank: 2, limit: 2 });
  expect(await lettersTo(id)).toHaveLength(2);
  expect((await rank(id, 'BUILDER')).status).toBe(200);
  expect(await standingOf(id)).toMatchObject({ rank: 2, limit: null });
  expect(await lettersTo(id)).toHaveLength(2);
});

test('the partner is mailed both ranks and the reason', async () => {
  const { id, userId } = await make.partner(world.db);
  await rank(id, 'LEADER');
  const [letter] = await lettersTo(id);
  const [user] = await rows<{ email: string }>(world.db, 'SELECT email FROM users WHERE id = $1', [userId]);
  expect(letter).toMatchObject({ recipient: user!.email, subject: 'Your rank is now Leader' });
  for (const words of ['was Starter', 'now Leader', 'Reason: Merit']) expect(letter!.text).toContain(words);
});

test('an unknown partner, and the own membership: refused, and nothing is changed', async () => {
  const unknown = await rank('0199f3a2-7c1e-7b54-9d3f-2a6c8e1b4d70', 'LEADER');
  expect([unknown.status, unknown.body.error.code]).toEqual([404, 'PARTNER_NOT_FOUND']);
  const admin = await make.admin(world.db);
  const own = await make.partner(world.db, { userId: admin.id });
  const body = { rankCode: 'LEADER', reason: 'Merit' };
  const answer = await decide(own.id, 'rank', body, await signIn(world, admin));
  expect([answer.status, answer.body.error.code]).toEqual([403, 'FORBIDDEN']);
  expect(await standingOf(own.id)).toMatchObject({ rank: 1, highest: 1 });
});

test('an unknown rank: refused, with the field named', async () => {
  const { id } = await make.partner(world.db);
  const answer = await rank(id, 'KING');
  expect([answer.status, Object.keys(answer.body.error.details)]).toEqual([400, ['rankCode']]);
  const missing = await decide(id, 'rank', { rankCode: 'LEADER' });
  expect([missing.status, Object.keys(missing.body.error.details)]).toEqual([400, ['reason']]);
});

test('ranks of one tree set at once: the network rank above is the highest', async () => {
  const top = await make.partner(world.db);
  const below = await Promise.all([1, 2, 3, 4].map(() => make.partner(world.db, { sponsorId: top.id })));
  await Promise.all(below.map(({ id }) => rank(id, 'EXECUTIVE')));
  await Promise.all(below.map(({ id }, i) => rank(id, i === 2 ? 'LEADER' : 'BUILDER')));
  expect(await standingOf(top.id)).toMatchObject({ network: 3 });
});
