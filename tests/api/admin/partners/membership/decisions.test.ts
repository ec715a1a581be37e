import type { Response } from 'supertest';
import { firstRow, rows } from '../../../../../db/sql/query';
import { make } from '../../../../support/builders/make';
import { signIn } from '../../../../support/builders/sign-in';
import { ownCheckedWorld } from '../../../../support/worlds/world';

let clerk: { id: string; token: string };
const world = ownCheckedWorld({ worker: false });
beforeAll(async () => {
  const admin = await make.admin(world.db);
  clerk = { id: admin.id, token: await signIn(world, admin) };
});

const decide = async (id: string, move: string, body: object, token = clerk.token): Promise<Response> =>
  world.http.post(`/api/v1/admin/partners/${id}/${move}`).auth(token, { type: 'bearer' }).send(body);
const codeOf = ({ status, body }: Response): [number, string, unknown] => [
  status,
  body.error?.code,
  body.error?.reason,
];
const statusOf = async (id: string): Promise<string | undefined> =>
  (await firstRow<{ status: string }>(world.db, 'SELECT status FROM partners WHERE id = $1', [id]))?.status;
const trailOf = (id: string) =>
  rows(
    world.db,
    `SELECT action, actor_id, previous, next FROM audit_records WHERE entity_type = 'partner' AND entity_id = $1
     ORDER BY created_at, id`,
    [id],
  );
const mailsOf = async (id: string): Promise<number> =>
  (await rows(world.db, `SELECT 1 FROM outbox_messages WHERE reference LIKE 'partner:' || $1 || ':%'`, [id]))
    .length;

test('suspended, active again, terminated: each is audited, and mailed where it is asked for', async () => {
  const { id } = await make.partner(world.db);
  const suspended = await decide(id, 'suspend', { reason: 'Spam', notifyUser: true });
  expect([suspended.status, suspended.body.data]).toEqual([
    200,
    {
      ...{ id, status: 'SUSPENDED', reason: 'Spam' },
      ...{ suspendedAt: expect.any(String), suspendedBy: clerk.id },
    },
  ]);
  expect(await mailsOf(id)).toBe(1);
  expect(codeOf(await decide(id, 'suspend', { reason: 'Spam' }))).toEqual([
    400,
    'ALREADY_SUSPENDED',
    undefined,
  ]);
  const active = await decide(id, 'activate', { note: 'Spoke to them' });
  expect(active.body.data).toEqual({
    ...{ id, status: 'ACTIVE', activatedAt: expect.any(String), activatedBy: clerk.id },
  });
  expect(codeOf(await decide(id, 'activate', {}))).toEqual([400, 'NOT_SUSPENDED', undefined]);
  const ended = await decide(id, 'terminate', { reason: 'Fraud' });
  expect([ended.body.data.status, ended.body.data.terminatedBy]).toEqual(['TERMINATED', clerk.id]);
  expect(await mailsOf(id)).toBe(1);
  expect(await trailOf(id)).toEqual(
    [
      ['partner.suspend', { status: 'ACTIVE' }, { status: 'SUSPENDED', reason: 'Spam' }],
      ['partner.activate', { status: 'SUSPENDED' }, { status: 'ACTIVE', note: 'Spoke to them' }],
      ['partner.terminate', { status: 'ACTIVE' }, { status: 'TERMINATED', reason: 'Fraud' }],
    ].map(([action, previous, next]) => ({ action, actorId: clerk.id, previous, next })),
  );
});

test.each([
  ['suspend', { reason: 'x' }],
  ['activate', {}],
  ['terminate', { reason: 'x' }],
  ['rank', { rankCode: 'LEADER', reason: 'x' }],
])('%s: refused for an ended membership, an unknown partner and the own one', async (move, body) => {
  const { id } = await make.partner(world.db, { status: 'TERMINATED' });
  expect(codeOf(await decide(id, move, body))).toEqual([400, 'VALIDATION_ERROR', 'PARTNER_STATUS']);
  const unknown = '0199f3a2-7c1e-7b54-9d3f-2a6c8e1b4d70';
  expect(codeOf(await decide(unknown, move, body))).toEqual([404, 'PARTNER_NOT_FOUND', undefined]);
  const admin = await make.admin(world.db);
  const own = await make.partner(world.db, {
    userId: admin.id,
    status: move === 'activate' ? 'SUSPENDED' : 'ACTIVE',
  });
  expect(codeOf(await decide(own.id, move, body, await signIn(world, admin)))).toEqual([
    403,
    'FORBIDDEN',
    undefined,
  ]);
  expect(await trailOf(own.id)).toEqual([]);
  const user = await signIn(world, await make.user(world.db));
  expect((await decide(own.id, move, body, user)).status).toBe(403);
});

test('a reason is required, and its field named', async () => {
  const { id } = await make.partner(world.db);
  for (const move of ['suspend', 'terminate']) {
    const answer = await decide(id, move, {});
    expect([answer.status, Object.keys(answer.body.error.details)]).toEqual([400, ['reason']]);
  }
  expect([await statusOf(id), await trailOf(id)]).toEqual(['ACTIVE', []]);
});

test('two suspensions at once: one is carried out', async () => {
  const { id } = await make.partner(world.db);
  const answers = await Promise.all([1, 2, 3, 4].map(() => decide(id, 'suspend', { reason: 'x' })));
  expect(answers.map(({ status }) => status).sort()).toEqual([200, 400, 400, 400]);
  expect([await statusOf(id), await trailOf(id)]).toMatchObject([
    'SUSPENDED',
    [{ action: 'partner.suspend' }],
  ]);
});

test('an administrator who is a partner decides on nobody below, at whatever distance, and on all others', async () => {
  const admin = await make.admin(world.db);
  const token = await signIn(world, admin);
  const top = await make.partner(world.db);
  const own = await make.partner(world.db, { userId: admin.id, sponsorId: top.id });
  const below = await make.partner(world.db, { sponsorId: own.id });
  const deep = await make.partner(world.db, { sponsorId: below.id, status: 'SUSPENDED' });
  const moves = {
    suspend: { reason: 'x' },
    activate: {},
    terminate: { reason: 'x' },
    rank: { rankCode: 'LEADER', reason: 'x' },
  };
  for (const [move, body] of Object.entries(moves))
    for (const { id } of [below, deep])
      expect([move, codeOf(await decide(id, move, body, token))]).toEqual([
        move,
        [403, 'FORBIDDEN', undefined],
      ]);
  const sister = await make.partner(world.db, { sponsorId: top.id });
  for (const { id } of [top, sister]) expect((await decide(id, 'rank', moves.rank, token)).status).toBe(200);
});
