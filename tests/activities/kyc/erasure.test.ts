import { v7 } from 'uuid';
import { accountDeletionActivities } from '../../../activities/identity/account-deletion/account-deletion.activities';
import { diskBlobs } from '../../../db/blobs/disk';
import { newBlobName } from '../../../db/blobs/port';
import { storeNote, readNote } from '../../../db/administration/idempotency/request-note.writes';
import { addKycEvent } from '../../../db/kyc/history/history.writes';
import { documentNumberCode } from '../../../db/kyc/number/document-number';
import { storeSubmittedNumber } from '../../../db/kyc/number/submitted-number.writes';
import { removeUnverified } from '../../../db/identity/registration/registration.transitions';
import { policyFrom } from '../../../db/policy/config';
import { execute, firstRow, rows } from '../../../db/sql/query';
import { inTransaction } from '../../../db/sql/transaction';
import type { KycAction } from '../../../workflows/kyc/kyc.rules';
import type { KycVerificationStatus } from '../../../workflows/kyc/review/kyc-review.states';
import { make } from '../../support/builders/make';
import { insert } from '../../support/builders/make/insert';
import { noteOf } from '../../support/builders/ordering';
import { openSession } from '../../support/builders/sign-in';
import { ownDatabase } from '../../support/servers/database';
import { testKeys, testVariables } from '../../support/worlds/variables';

const own = ownDatabase();
const blobs = diskBlobs(testVariables['BLOB_DIR']!);
const steps = () => accountDeletionActivities({ db: own.db, blobs, policy: policyFrom({}) });

async function erase(userId: string): Promise<string> {
  const { dueAt } = await steps().scheduleDeletion({
    ...{ userId, sessionId: await openSession(own.db, userId), at: new Date().toISOString() },
  });
  expect(await steps().eraseAccount({ userId, at: dueAt })).toBe('ERASED');
  return dueAt;
}

const stateOf = (kycId: string) =>
  firstRow<Record<string, unknown>>(
    own.db,
    `SELECT status, level, decided_at, decided_by, rejection_reason, expires_at, ended_at, assigned_to, due_at,
            personal_info, document_number_mac, document_number_key, requested_message
       FROM kyc_verifications WHERE id = $1`,
    [kycId],
  );
const count = async (table: string, column: string, id: string) =>
  (await firstRow<{ n: number }>(own.db, `SELECT count(*)::int AS n FROM ${table} WHERE ${column} = $1`, [
    id,
  ]))!.n;
const historyOf = (kycId: string) =>
  rows(own.db, 'SELECT action, performed_by, note FROM kyc_history WHERE kyc_id = $1 ORDER BY at, id', [
    kycId,
  ]);
const event = (kycId: string, action: KycAction, performedBy: string, note: string | null) =>
  inTransaction(own.db, (tx) => addKycEvent(tx, { kycId, action, performedBy, note, at: new Date() }));
const blobName = async (): Promise<string> => {
  const name = newBlobName();
  await blobs.put(name, Buffer.from('sealed bytes'));
  return name;
};

const emptied = {
  personalInfo: null,
  documentNumberMac: null,
  documentNumberKey: null,
  requestedMessage: null,
};

test('an approved identity: the decision stays; documents, their files and personal data go', async () => {
  const { id: reviewer } = await make.superAdmin(own.db);
  const decisionId = await noteOf(own.db, reviewer, 'Looks like her brother.');
  const message = 'The picture of your passport is dark.';
  const askedId = await noteOf(own.db, reviewer, message);
  const approved = await make.verification(own.db, {
    ...{ status: 'APPROVED', decidedBy: reviewer, requestedMessage: message, blobName },
  });
  const { userId, id, documents } = approved;
  await event(id, 'INFO_REQUESTED', reviewer, message);
  await event(id, 'APPROVED', reviewer, 'Looks like her brother.');
  await execute(own.db, 'UPDATE request_notes SET entity_id = $1 WHERE id IN ($2, $3)', [
    ...[id, decisionId, askedId],
  ]);
  await insert(own.db, 'kyc_document_tries', { user_id: userId, type: 'PASSPORT', tries: 1, uploads: 0 });
  await execute(own.db, `UPDATE users SET kyc_status = 'APPROVED' WHERE id = $1`, [userId]);
  const before = await stateOf(id);

  const dueAt = await erase(userId);

  expect(await stateOf(id)).toEqual({ ...before, ...emptied, status: 'WITHDRAWN', endedAt: new Date(dueAt) });
  expect(before).toMatchObject({ level: 'STANDARD', decidedBy: reviewer });
  expect(await historyOf(id)).toEqual([
    { action: 'INFO_REQUESTED', performedBy: reviewer, note: null },
    { action: 'APPROVED', performedBy: reviewer, note: null },
    { action: 'WITHDRAWN', performedBy: null, note: null },
  ]);
  for (const table of ['kyc_documents', 'kyc_document_tries'])
    expect(await count(table, 'user_id', userId)).toBe(0);
  expect(await count('kyc_verification_documents', 'kyc_id', id)).toBe(0);
  for (const { fileBlob, thumbnailBlob } of documents)
    for (const name of [fileBlob, thumbnailBlob!]) {
      expect(await blobs.get(name)).toBeNull();
      expect(await count('discarded_blobs', 'name', name)).toBe(0);
    }
  for (const noteId of [decisionId, askedId])
    expect(await firstRow(own.db, 'SELECT text FROM request_notes WHERE id = $1', [noteId])).toEqual({
      text: null,
    });
  expect(await firstRow(own.db, 'SELECT kyc_status, kyc_level FROM users WHERE id = $1', [userId])).toEqual({
    kycStatus: 'NOT_STARTED',
    kycLevel: 'NONE',
  });
});

test.each(['DOCUMENTS_PENDING', 'SUBMITTED', 'UNDER_REVIEW', 'NEEDS_INFO'] as const)(
  'a verification that is %s is withdrawn with the account',
  async (status: KycVerificationStatus) => {
    const { userId, id } = await make.verification(own.db, { status });
    const dueAt = await erase(userId);
    const gone = { assignedTo: null, dueAt: null, endedAt: new Date(dueAt), status: 'WITHDRAWN' };
    expect(await stateOf(id)).toMatchObject({ ...gone, ...emptied });
    expect(await historyOf(id)).toEqual([{ action: 'WITHDRAWN', performedBy: null, note: null }]);
  },
);

test('what was decided against somebody stays a rejection, with its reason', async () => {
  const { userId, id } = await make.verification(own.db, { status: 'REJECTED' });
  const before = await stateOf(id);
  await erase(userId);
  expect(await stateOf(id)).toEqual({ ...before, ...emptied });
  expect(before).toMatchObject({ status: 'REJECTED', rejectionReason: 'DOCUMENT_BLURRY' });
});

test('erasing one account leaves documents, notes and words about others', async () => {
  const { id: reviewer } = await make.superAdmin(own.db);
  const gone = await make.verification(own.db, { status: 'REJECTED', decidedBy: reviewer });
  const other = await make.verification(own.db, { status: 'REJECTED', decidedBy: reviewer });
  const noteId = await noteOf(own.db, reviewer, 'The selfie is cut off.');
  await event(gone.id, 'REJECTED', reviewer, 'The passport is cut off.');
  await event(other.id, 'REJECTED', reviewer, 'The selfie is cut off.');
  const [before, history] = [await stateOf(other.id), await historyOf(other.id)];
  await erase(gone.userId);
  expect(await stateOf(other.id)).toEqual(before);
  expect(await historyOf(other.id)).toEqual(history);
  expect(await count('kyc_documents', 'user_id', other.userId)).toBe(2);
  expect((await readNote(own.db, noteId)).text).toBe('The selfie is cut off.');
});

test('what reviewers wrote in requests that were refused goes too, whenever that was', async () => {
  const { id: reviewer } = await make.superAdmin(own.db);
  const { userId, id } = await make.verification(own.db, { status: 'REJECTED', decidedBy: reviewer });
  const noteId = v7();
  const words = { actorId: reviewer, clientAddress: '127.0.0.1', text: 'Her passport is a fake.' };
  await storeNote(own.db, noteId, { ...words, entityId: id });
  await execute(own.db, `UPDATE request_notes SET created_at = now() + interval '2 days' WHERE id = $1`, [
    noteId,
  ]);
  await erase(userId);
  expect(await firstRow(own.db, 'SELECT text FROM request_notes WHERE id = $1', [noteId])).toEqual({
    text: null,
  });
});

test.each([
  [
    'the whole',
    `UPDATE kyc_verifications SET rejection_reason = 'SUSPECTED_FRAUD', can_resubmit = false WHERE id = $1`,
  ],
  [
    'a document',
    `UPDATE kyc_verification_documents SET status = 'REJECTED', reason = 'SUSPECTED_FRAUD' WHERE kyc_id = $1`,
  ],
])(
  'after a fraud, of %s, the code of the number stays without the number, and no other',
  async (_of, suspect) => {
    const fraud = await make.verification(own.db, { status: 'REJECTED' });
    const { userId } = fraud;
    const honest = await make.verification(own.db, { userId, status: 'REJECTED', documents: [] });
    await inTransaction(own.db, async (tx) => {
      for (const { id: kycId } of [fraud, honest])
        await storeSubmittedNumber(tx, testKeys, { kycId, documentNumber: 'C01X00T47' }, new Date());
    });
    await execute(own.db, suspect, [fraud.id]);
    await erase(userId);
    expect(
      await rows(own.db, 'SELECT number_sealed, number_mac FROM kyc_document_numbers WHERE kyc_id = $1', [
        fraud.id,
      ]),
    ).toEqual([{ numberSealed: null, numberMac: documentNumberCode(testKeys, 'C01X00T47').mac }]);
    expect(await count('kyc_document_numbers', 'kyc_id', honest.id)).toBe(0);
  },
);

test('an account that was never verified cannot be removed with a verification left behind', async () => {
  const { id: userId } = await make.user(own.db, { status: 'PENDING_VERIFICATION' });
  await execute(own.db, 'UPDATE users SET email_verified_at = NULL WHERE id = $1', [userId]);
  const { id } = await make.verification(own.db, { userId, status: 'DOCUMENTS_PENDING' });
  const removal = inTransaction(own.db, (tx) => removeUnverified(tx, userId));
  await expect(removal).rejects.toThrow('kyc_');
  expect(await stateOf(id)).toMatchObject({ status: 'DOCUMENTS_PENDING' });
});
