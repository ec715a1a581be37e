import { discardBlobs } from '../../../db/blobs/discarded.writes';
import { brokenInvariants } from '../../../db/invariants/broken.reads';
import { down, up } from '../../../db/schema/migrations/0018-kyc';
import { execute, firstRow, rows } from '../../../db/sql/query';
import { make } from '../../support/builders/make';
import { ownDatabase } from '../../support/servers/database';

const own = ownDatabase();
const query = () => own.owner.sequelize.getQueryInterface();

const event = (type: string) =>
  execute(
    own.owner,
    `INSERT INTO domain_events (id, type, reference, entity_id, data, occurred_at)
     VALUES (gen_random_uuid(), $1, $1 || ':1', gen_random_uuid(), '{}', now())`,
    [type],
  );

test('down ends levels with their verifications and lists all files; up again starts from nothing', async () => {
  const people = {
    verified: await make.user(own.db, { kycLevel: 'ENHANCED' }),
    basic: await make.user(own.db, { kycLevel: 'BASIC' }),
    none: await make.user(own.db, { kycLevel: 'NONE' }),
  };
  const { documents } = await make.verification(own.db, { userId: people.none.id, status: 'SUBMITTED' });
  await execute(own.db, `UPDATE users SET kyc_status = 'SUBMITTED' WHERE id = $1`, [people.none.id]);
  const names = documents.flatMap(({ fileBlob, thumbnailBlob }) => [fileBlob, thumbnailBlob ?? []].flat());
  await discardBlobs(own.db, names.slice(0, 1));
  await event('kyc.approved');

  await down(query());
  const standing = async ({ id }: { id: string }) =>
    firstRow(own.db, 'SELECT kyc_level, kyc_status FROM users WHERE id = $1', [id]);
  const level = (kycLevel: string) => ({ kycLevel, kycStatus: 'NOT_STARTED' });
  expect(await standing(people.verified)).toEqual(level('BASIC'));
  expect(await standing(people.basic)).toEqual(level('BASIC'));
  expect(await standing(people.none)).toEqual(level('NONE'));
  const discarded = await rows<{ name: string }>(own.db, 'SELECT name FROM discarded_blobs');
  expect(new Set(discarded.map(({ name }) => name))).toEqual(new Set(names));

  await up(query());
  const broken = await brokenInvariants(own.owner, { patienceSeconds: 86_400 });
  expect(broken.filter(({ invariant }) => invariant.startsWith('kyc.'))).toEqual([]);
});
