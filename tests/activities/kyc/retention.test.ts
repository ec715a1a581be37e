import { v7 } from 'uuid';
import { forget as forgetAll } from '../../../activities/administration/retention/forget';
import { forgetVerifications } from '../../../activities/kyc/retention/forget-verifications';
import { discardBlobs } from '../../../db/blobs/discarded.writes';
import { diskBlobs } from '../../../db/blobs/disk';
import { newBlobName, type BlobStore } from '../../../db/blobs/port';
import { addKycEvent } from '../../../db/kyc/history/history.writes';
import { lockUserStanding } from '../../../db/kyc/standing/user-standing.writes';
import { policyFrom } from '../../../db/policy/config';
import { execute, firstRow, rows } from '../../../db/sql/query';
import { inTransaction } from '../../../db/sql/transaction';
import type { KycVerificationStatus } from '../../../workflows/kyc/review/kyc-review.states';
import { make } from '../../support/builders/make';
import { insert } from '../../support/builders/make/insert';
import { waiting } from '../../support/checks/held-locks';
import { ownDatabase } from '../../support/servers/database';
import { asActivity } from '../../support/servers/run-activity';
import { testVariables } from '../../support/worlds/variables';

const own = ownDatabase();
const blobs = diskBlobs(testVariables['BLOB_DIR']!);
const blobName = async (): Promise<string> => {
  const name = newBlobName();
  await blobs.put(name, Buffer.from('sealed bytes'));
  return name;
};

const at = new Date('2032-03-01T04:00:00.000Z');
const ago = (days: number, laterByMs = 0): Date => new Date(at.getTime() - days * 86_400_000 + laterByMs);
const forget = (options: { most?: number } = {}, policy = policyFrom({})) =>
  asActivity(forgetVerifications)({ db: own.db, blobs, policy }, at, options);

/** The whole daily job. */
const retention = (store: BlobStore) =>
  asActivity(forgetAll)(
    { longDb: own.db, blobs: store, policy: policyFrom({}) },
    at,
    new AbortController().signal,
  );

const stateOf = async (kycId: string) => {
  const state = await firstRow<{ documents: number } & Record<string, unknown>>(
    own.db,
    `SELECT v.status, v.ended_at, v.personal_info IS NOT NULL AS has_personal_info,
            v.document_number_mac IS NOT NULL AS has_number, u.kyc_status, u.kyc_level,
            (SELECT count(*)::int FROM kyc_verification_documents d WHERE d.kyc_id = v.id) AS documents
       FROM kyc_verifications v JOIN users u ON u.id = v.user_id WHERE v.id = $1`,
    [kycId],
  );
  return state!;
};
const isWhole = { hasPersonalInfo: true, hasNumber: true, documents: 2 };
const isEmpty = { hasPersonalInfo: false, hasNumber: false, documents: 0 };
const documentsOf = (userId: string) =>
  rows<{ id: string }>(own.db, 'SELECT id FROM kyc_documents WHERE user_id = $1 ORDER BY id', [userId]);

afterEach(async () => {
  await execute(
    own.owner,
    'TRUNCATE kyc_verifications, kyc_documents, kyc_document_numbers, kyc_verification_documents, kyc_history, kyc_document_tries',
  );
});

/** One that waits for documents, untouched since `at`. */
async function unfinished(at: Date) {
  const made = await make.verification(own.db, { status: 'DOCUMENTS_PENDING', at, blobName });
  await execute(own.db, `UPDATE users SET kyc_status = 'DOCUMENTS_PENDING' WHERE id = $1`, [made.userId]);
  return made;
}

describe('a verification that its user does not finish', () => {
  test('is withdrawn after ninety days, or as long as the policy says; what was uploaded goes', async () => {
    const [young, old] = [await unfinished(ago(90)), await unfinished(ago(90, -1))];
    const tries = { user_id: old.userId, type: 'PASSPORT', tries: 1, uploads: 3 };
    await insert(own.db, 'kyc_document_tries', tries);
    expect(await forget()).toBe(1);
    expect(await stateOf(young.id)).toMatchObject({ status: 'DOCUMENTS_PENDING', ...isWhole });
    expect(await stateOf(old.id)).toEqual({
      ...{ status: 'WITHDRAWN', endedAt: at, kycStatus: 'NOT_STARTED', kycLevel: 'BASIC' },
      ...isEmpty,
    });
    expect(await documentsOf(old.userId)).toEqual([]);
    for (const { fileBlob, thumbnailBlob } of old.documents)
      for (const name of [fileBlob, thumbnailBlob!]) expect(await blobs.get(name)).toBeNull();
    expect(
      await rows(own.db, 'SELECT action, performed_by FROM kyc_history WHERE kyc_id = $1', [old.id]),
    ).toEqual([{ action: 'WITHDRAWN', performedBy: null }]);
    // Submissions stay counted; files without one are forgotten.
    expect(
      await rows(own.db, 'SELECT tries, uploads FROM kyc_document_tries WHERE user_id = $1', [old.userId]),
    ).toEqual([{ tries: 1, uploads: 0 }]);
    expect(await forget({}, policyFrom({ POLICY_KYC_ABANDONED_DAYS: '30' }))).toBe(1);
    expect(await stateOf(young.id)).toMatchObject({ status: 'WITHDRAWN', ...isEmpty });
  });

  test('stays while its user still changes it: an upload or any event counts', async () => {
    const [uploaded, changed] = [await unfinished(ago(200)), await unfinished(ago(200))];
    await execute(own.db, 'UPDATE kyc_documents SET uploaded_at = $2 WHERE id = $1', [
      uploaded.documents[0]!.id,
      ago(10),
    ]);
    const event = { kycId: changed.id, action: 'DOCUMENT_DELETED' as const, performedBy: changed.userId };
    await inTransaction(own.db, (tx) => addKycEvent(tx, { ...event, note: null, at: ago(10) }));
    expect(await forget()).toBe(0);
    for (const { id } of [uploaded, changed]) expect(await stateOf(id)).toMatchObject(isWhole);
  });

  test('is kept if its user continues just then', async () => {
    const { id, userId } = await unfinished(ago(100));
    let run!: Promise<number>;
    await inTransaction(own.db, async (tx) => {
      await lockUserStanding(tx, userId);
      run = forget();
      await waiting(own.owner, 1);
      await execute(tx, 'UPDATE kyc_verifications SET updated_at = $2 WHERE id = $1', [id, at]);
    });
    expect(await run).toBe(0);
    expect(await stateOf(id)).toMatchObject({ status: 'DOCUMENTS_PENDING', ...isWhole });
  });

  test('leaves the level in force, and the documents that an approval stands on', async () => {
    const approved = await make.verification(own.db, { status: 'APPROVED', at: ago(400) });
    const { userId, documents } = approved;
    const upgrade = await make.verification(own.db, {
      ...{ userId, status: 'DOCUMENTS_PENDING', at: ago(100) },
      documents: [...documents, 'INCOME_PROOF'],
    });
    await execute(own.db, `UPDATE users SET kyc_status = 'DOCUMENTS_PENDING' WHERE id = $1`, [userId]);
    expect(await forget()).toBe(1);
    expect(await stateOf(upgrade.id)).toMatchObject({
      status: 'WITHDRAWN',
      ...isEmpty,
      kycStatus: 'APPROVED',
      kycLevel: 'STANDARD',
    });
    expect(await stateOf(approved.id)).toMatchObject({ status: 'APPROVED', ...isWhole });
    const kept = documents.map(({ id }) => id).sort();
    expect((await documentsOf(userId)).map(({ id }) => id)).toEqual(kept);
  });
});

describe('a verification that is over', () => {
  test.each(['REJECTED', 'EXPIRED', 'SUPERSEDED'] as const)(
    '%s: five years later documents and personal data go, the decision stays',
    async (status: KycVerificationStatus) => {
      const young = await make.verification(own.db, { status, at: ago(1_825), blobName });
      const old = await make.verification(own.db, { status, at: ago(1_825, -1), blobName });
      await addNote(old.id);
      const before = await stateOf(old.id);
      expect(await forget()).toBe(1);
      expect(await stateOf(young.id)).toMatchObject({ status, ...isWhole });
      expect(await stateOf(old.id)).toEqual({ ...before, ...isEmpty });
      expect(await documentsOf(old.userId)).toEqual([]);
      expect(await blobs.get(old.documents[0]!.fileBlob)).toBeNull();
      expect(await rows(own.db, 'SELECT note FROM kyc_history WHERE kyc_id = $1', [old.id])).toEqual([
        { note: null },
      ]);
      expect(await forget()).toBe(0);
    },
  );

  test('an approval at BASIC, which never ends, five years after its decision', async () => {
    const { id } = await make.verification(own.db, { status: 'APPROVED', at: ago(1_825, -1) });
    await execute(own.db, `UPDATE kyc_verifications SET level = 'BASIC', expires_at = NULL WHERE id = $1`, [
      id,
    ]);
    expect(await forget()).toBe(1);
    expect(await stateOf(id)).toMatchObject({ status: 'APPROVED', ...isEmpty });
    expect(await forget()).toBe(0);
  });

  test('with its submitted numbers, also the codes that an erased account left', async () => {
    const { id } = await make.verification(own.db, { status: 'REJECTED', at: ago(1_825, -1), documents: [] });
    await execute(own.db, 'UPDATE kyc_verifications SET personal_info = NULL WHERE id = $1', [id]);
    await insert(own.db, 'kyc_document_numbers', {
      ...{ id: v7(), kyc_id: id, number_mac: 'code', number_key: 'test', submitted_at: ago(1_830) },
    });
    expect(await forget()).toBe(1);
    expect(await rows(own.db, 'SELECT id FROM kyc_document_numbers WHERE kyc_id = $1', [id])).toEqual([]);
    expect(await forget()).toBe(0);
  });

  test('keeps documents that a later verification holds as well', async () => {
    const earlier = await make.verification(own.db, { status: 'SUPERSEDED', at: ago(2_000) });
    const { userId, documents } = earlier;
    const later = await make.verification(own.db, { userId, status: 'APPROVED', at: ago(100), documents });
    expect(await forget()).toBe(1);
    expect(await stateOf(earlier.id)).toMatchObject(isEmpty);
    expect(await stateOf(later.id)).toMatchObject(isWhole);
  });

  test('an approval in force is kept however old it is', async () => {
    const { id } = await make.verification(own.db, { status: 'APPROVED', at: ago(3_000) });
    expect(await forget()).toBe(0);
    expect(await stateOf(id)).toMatchObject(isWhole);
  });
});

test('one that fails stops no other, nor the deletion of files, and the run fails with its id', async () => {
  const [first, second, third] = [
    await unfinished(ago(102)),
    await unfinished(ago(101)),
    await unfinished(ago(100)),
  ];
  await execute(
    own.owner,
    `CREATE FUNCTION refused() RETURNS trigger LANGUAGE plpgsql AS 'BEGIN
       IF NEW.id = ''${second.id}'' THEN RAISE EXCEPTION ''refused''; END IF; RETURN NEW; END';
     CREATE TRIGGER refused BEFORE UPDATE ON kyc_verifications FOR EACH ROW EXECUTE FUNCTION refused()`,
  );
  const left = await blobName();
  await discardBlobs(own.db, [left]);
  await execute(own.db, 'UPDATE discarded_blobs SET discarded_at = $1', [ago(1)]);
  await expect(retention(blobs)).rejects.toThrow(second.id);
  await execute(own.owner, 'DROP FUNCTION refused CASCADE');
  expect(await blobs.get(left)).toBeNull();
  expect(await stateOf(second.id)).toMatchObject({ status: 'DOCUMENTS_PENDING', ...isWhole });
  for (const { id } of [first, third])
    expect(await stateOf(id)).toMatchObject({ status: 'WITHDRAWN', ...isEmpty });
  expect(await forget()).toBe(1);
});

test('one run is bounded, and the next continues', async () => {
  for (let made = 0; made < 3; made++) await unfinished(ago(100 + made));
  expect(await forget({ most: 2 })).toBe(2);
  expect(await forget({ most: 2 })).toBe(1);
  expect(await forget({ most: 2 })).toBe(0);
});

test('a file that cannot be deleted keeps no other, stays listed, and its verification is named at the end', async () => {
  const made = [await unfinished(ago(101)), await unfinished(ago(100))];
  const stuck = made[0]!.documents[0]!.fileBlob;
  const refusing: BlobStore = {
    ...diskBlobs(testVariables['BLOB_DIR']!),
    delete: (name) => (name === stuck ? Promise.reject(new Error('EACCES')) : blobs.delete(name)),
  };
  const left = newBlobName();
  await blobs.put(left, Buffer.from('left'));
  await insert(own.db, 'discarded_blobs', { name: left, discarded_at: ago(1) });
  await expect(retention(refusing)).rejects.toThrow();
  for (const { id } of made) expect(await stateOf(id)).toMatchObject({ status: 'WITHDRAWN', ...isEmpty });
  const names = made.flatMap(({ documents }) =>
    documents.flatMap((one) => [one.fileBlob, one.thumbnailBlob!]),
  );
  for (const name of [...names, left]) expect((await blobs.get(name)) !== null).toBe(name === stuck);
  expect(await rows(own.db, 'SELECT name FROM discarded_blobs')).toEqual([{ name: stuck }]);
});

const addNote = (kycId: string) =>
  insert(own.db, 'kyc_history', {
    ...{ id: v7(), kyc_id: kycId, action: 'INFO_REQUESTED', note: Buffer.from('sealed'), at: ago(2_000) },
  });
