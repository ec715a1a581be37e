import { rows } from '../../../../../db/sql/query';
import { make } from '../../../../support/builders/make';
import { signIn } from '../../../../support/builders/sign-in';
import { ownCheckedWorld } from '../../../../support/worlds/world';
import { partnerPerson } from '../../../mlm/partner-person';
import { outcomeOf } from '../../admin-world';
import { readFile } from '../../products/file/files';

const world = ownCheckedWorld({ worker: false });

const month = new Date().toISOString().slice(0, 7);

/** An administrator who reads under /api/v1/admin/partners. */
async function clerk() {
  const admin = await make.admin(world.db);
  const token = await signIn(world, admin);
  const get = async (path: string) =>
    world.http.get(`/api/v1/admin/partners/${path}`).auth(token, { type: 'bearer' });
  return { id: admin.id, get };
}

test('an administrator reads the statement that the partner reads, and no other', async () => {
  const me = await partnerPerson(world);
  const other = await partnerPerson(world);
  await make.commission(world.db, { partnerId: me.partnerId, grossMinor: 1_234 });
  await make.commission(world.db, { partnerId: me.partnerId, grossMinor: 66, status: 'APPROVED' });
  await make.commission(world.db, { partnerId: other.partnerId, grossMinor: 500 });
  const { get } = await clerk();

  const shown = await get(`${me.partnerId}/statements/${month}`);
  expect([shown.status, shown.body.data]).toMatchObject([
    200,
    { period: month, opening: 0, earned: 13, closing: 13, linesCount: 2 },
  ]);
  expect(shown.body).toEqual((await me.get(`/statements/${month}`)).body);
  expect((await get(`${other.partnerId}/statements/${month}`)).body.data).toMatchObject({ closing: 5 });
});

test('the file of an administrator is the file of the partner, and its export is recorded', async () => {
  const me = await partnerPerson(world);
  await make.commission(world.db, { partnerId: me.partnerId, grossMinor: 1_234 });
  const { id, get } = await clerk();

  const file = await get(`${me.partnerId}/statements/${month}/export`);
  expect(file.headers['content-type']).toBe('text/csv; charset=utf-8');
  expect(file.headers['content-disposition']).toContain(`statement-${me.referralCode}-${month}.csv`);
  expect(file.text).toBe((await me.get(`/statements/${month}/export`)).text);
  expect(readFile(file.text).map(({ kind, balance }) => `${kind} ${balance}`)).toEqual([
    'OPENING 0',
    'EARNED 12.34',
    'CLOSING 12.34',
  ]);
  const records = await rows(
    world.db,
    `SELECT actor_id AS actor, next FROM audit_records WHERE action = 'partner.export-statement' AND entity_id = $1`,
    [me.partnerId],
  );
  expect(records).toEqual([{ actor: id, next: { month } }]);
});

test.each(['', '/export'])(
  'a statement%s of an unknown partner: PARTNER_NOT_FOUND; of no month: VALIDATION_ERROR',
  async (end) => {
    const { partnerId } = await partnerPerson(world);
    const { get } = await clerk();
    const unknown = '0199f3a2-7c1e-7b54-9d3f-2a6c8e1b4d70';
    expect(outcomeOf(await get(`${unknown}/statements/${month}${end}`))).toBe('404 PARTNER_NOT_FOUND');
    const refused = await get(`${partnerId}/statements/2026-13${end}`);
    expect([outcomeOf(refused), Object.keys(refused.body.error.details as object)]).toEqual([
      '400 VALIDATION_ERROR',
      ['month'],
    ]);
  },
);
