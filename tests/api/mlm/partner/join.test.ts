import { randomUUID } from 'node:crypto';
import { execute, firstRow } from '../../../../db/sql/query';
import { atOnce } from '../../../support/requests/at-once';
import { joiner, membershipState } from '../../../support/builders/partnering/joining';
import { queueEvents } from '../../../support/builders/make/partners/partner-sales';
import { make } from '../../../support/builders/make';
import { signIn } from '../../../support/builders/sign-in';
import { ownCheckedWorld } from '../../../support/worlds/world';

const world = ownCheckedWorld({ queues: ['interactive'] });

const JOINED = {
  ...{ partner: 'ACTIVE', entrances: [], attempts: [], refunds: [], ledger: [] },
  ...{ events: ['partner.joined'], mails: ['joined'] },
};

test('without a fee: a partner at once, below the sponsor of the registration, with a code of 8 clear characters', async () => {
  const sponsor = await make.partner(world.db);
  const ada = await joiner(world, { sponsorId: sponsor.id });
  const answer = await ada.join();
  expect(answer.status).toBe(201);
  expect(answer.body.data).toEqual({
    partnerId: expect.any(String),
    referralCode: expect.stringMatching(/^[ACDEFGHJKMNPQRTWXY34679]{8}$/),
    status: 'ACTIVE',
    sponsor: { id: sponsor.id, name: 'Ada L.', referralCode: sponsor.referralCode },
    payment: null,
  });
  expect(await membershipState(world.db, ada.id)).toEqual(JOINED);
  expect(
    await firstRow(
      world.db,
      `SELECT p.sponsor_id, p.activated_at = p.joined_at AS active, nlevel(p.path) AS level, s.rank_level
       FROM partners p JOIN partner_standings s ON s.partner_id = p.id WHERE p.user_id = $1`,
      [ada.id],
    ),
  ).toEqual({ sponsorId: sponsor.id, active: true, level: 2, rankLevel: 1 });
});

test('without a sponsor: a partner at the top', async () => {
  const ada = await joiner(world);
  const { body } = await ada.join();
  expect(body.data).toMatchObject({ status: 'ACTIVE', sponsor: null });
});

test('again: the same key has the same answer, any other request is refused, whatever the status is', async () => {
  const [ada, key] = [await joiner(world), randomUUID()];
  const first = await ada.join({}, key);
  const again = await ada.join({}, key);
  expect([again.status, again.body.data]).toEqual([201, first.body.data]);
  const other = await ada.join();
  expect([other.status, other.body.error.code]).toEqual([409, 'ALREADY_PARTNER']);
  for (const status of ['SUSPENDED', 'TERMINATED'] as const) {
    const { userId } = await make.partner(world.db, { status });
    const answer = await world.http
      .post('/api/v1/mlm/partner/join')
      .auth(await tokenOf(userId), { type: 'bearer' })
      .send({ acceptTerms: true });
    expect([answer.status, answer.body.error.code]).toEqual([409, 'ALREADY_PARTNER']);
  }
  expect(await membershipState(world.db, ada.id)).toEqual(JOINED);
});

test('twenty requests at once: one membership', async () => {
  const ada = await joiner(world);
  const answers = await atOnce(20, (_, key) => ada.join({}, key));
  expect(answers.map(({ status }) => status).sort()).toEqual([201, ...Array<number>(19).fill(409)]);
  expect(await membershipState(world.db, ada.id)).toEqual(JOINED);
});

test.each([
  ['false', { acceptTerms: false }],
  ['left out', { acceptTerms: undefined }],
  ['a text', { acceptTerms: 'true' }],
])('acceptTerms %s: refused, with the field named', async (_, body) => {
  const ada = await joiner(world);
  const answer = await ada.join(body);
  expect([answer.status, answer.body.error.code]).toEqual([400, 'VALIDATION_ERROR']);
  expect(Object.keys(answer.body.error.details)).toEqual(['acceptTerms']);
  expect((await membershipState(world.db, ada.id)).partner).toBeNull();
});

test('below 500 levels: refused, and nothing is written', async () => {
  const ada = await joiner(world, { sponsorId: await chainOfPartners(500) });
  const answer = await ada.join();
  expect([answer.status, answer.body.error.reason]).toEqual([400, 'NETWORK_TOO_DEEP']);
  expect((await membershipState(world.db, ada.id)).partner).toBeNull();
});

/**
 * Partners who are each other's sponsors in a row; answers the last.
 */
async function chainOfPartners(levels: number): Promise<string> {
  const { id } = await make.user(world.db);
  const name = randomUUID();
  await execute(
    world.db,
    `INSERT INTO users SELECT (jsonb_populate_record(u, jsonb_build_object('id', md5($2 || n)::uuid, 'email', $2 || n || '@example.com'))).*
     FROM users u, generate_series(1, $3::int) n WHERE u.id = $1`,
    [id, name, levels],
  );
  // Sponsors are inserted first, since the place of each is derived from theirs.
  await execute(
    world.db,
    `INSERT INTO partners (id, user_id, referral_code, status, sponsor_id, joined_at, activated_at)
     SELECT md5($1 || n)::uuid, md5($1 || n)::uuid, 'DEEP' || n, 'ACTIVE',
       CASE WHEN n > 1 THEN md5($1 || n - 1)::uuid END, now(), now()
     FROM generate_series(1, $2::int) n ORDER BY n`,
    [name, levels],
  );
  await execute(
    world.db,
    `INSERT INTO domain_events (id, type, reference, entity_id, data, occurred_at)
     SELECT md5(id::text)::uuid, 'partner.joined', 'partner.joined:' || id, id,
       jsonb_build_object('partnerId', id, 'userId', user_id), joined_at
     FROM partners WHERE referral_code LIKE 'DEEP%'`,
  );
  await queueEvents(
    world.db,
    `type = 'partner.joined' AND entity_id IN (SELECT id FROM partners WHERE referral_code LIKE 'DEEP%')`,
  );
  const last = await firstRow<{ id: string }>(world.db, 'SELECT id FROM partners WHERE referral_code = $1', [
    `DEEP${levels}`,
  ]);
  return last!.id;
}

async function tokenOf(userId: string): Promise<string> {
  const user = await firstRow<{ id: string; email: string }>(
    world.db,
    'SELECT id, email FROM users WHERE id = $1',
    [userId],
  );
  return signIn({ db: world.db }, user as Parameters<typeof signIn>[1]);
}
