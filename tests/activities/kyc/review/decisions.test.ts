import { execute, firstRow, rows } from '../../../../db/sql/query';
import { inTransaction } from '../../../../db/sql/transaction';
import { sealPurposes } from '../../../../db/sealing/purposes';
import { testKeys } from '../../../support/worlds/variables';
import { brokenInvariants } from '../../../../db/invariants/broken.reads';
import { isSuspectedOfFraud } from '../../../../db/kyc/review/resubmission.writes';
import type { KycDocumentType } from '../../../../workflows/kyc/kyc.rules';
import { make } from '../../../support/builders/make';
import {
  begunVerification,
  NEEDED,
  uploadedDocument,
  verificationState,
} from '../../../support/builders/kyc/verifying';
import { mailsTo } from '../../../support/checks/mail';
import { ownDatabase } from '../../../support/servers/database';
import { outcomeOf } from '../../../workflows/kyc/review/review-processes';
import { NOTE, reviewing } from './reviewing';

const own = ownDatabase();
const HOUR_MS = 3_600_000;

/** A verification that was submitted, with a reviewer who has not claimed it. */
async function submitted(options: Parameters<typeof begunVerification>[1] = {}) {
  const one = await begunVerification(own.db, options);
  const review = reviewing(own.db, one, (await make.admin(own.db)).id);
  await review.submit();
  return { ...one, review, state: () => verificationState(own.db, one.kycId) };
}

const dateIn = (days: number): string =>
  new Date(Date.now() + days * 24 * HOUR_MS).toISOString().slice(0, 10);

describe('where a key is lost', () => {
  test('approving and submitting are refused at once, and nothing is changed', async () => {
    const one = await submitted();
    const begun = await begunVerification(own.db);
    const lose = (kycId: string) =>
      execute(own.db, 'UPDATE kyc_verifications SET personal_info = $2 WHERE id = $1', [
        ...[kycId, Buffer.from('under a lost key')],
      ]);
    for (const { kycId } of [one, begun]) await lose(kycId);
    const self = reviewing(own.db, begun, begun.userId);
    for (const attempt of [one.review.approve(), self.submit()])
      expect(await outcomeOf(attempt)).toBe('KYC_UNREADABLE');
    expect((await one.state()).status).toBe('SUBMITTED');
    await one.review.requestInfo();
    expect((await one.state()).status).toBe('NEEDS_INFO');
  });
});

describe('evidence', () => {
  test('what was submitted is marked, and its number kept once', async () => {
    const one = await submitted();
    await one.review.requestInfo();
    await execute(own.db, `UPDATE kyc_verifications SET document_number_mac = 'another' WHERE id = $1`, [
      one.kycId,
    ]);
    await uploadedDocument(own.db, { ...one, type: 'SELFIE' });
    await one.review.submit();
    const found = await firstRow(
      own.db,
      `SELECT (SELECT count(*)::int FROM kyc_verification_documents l JOIN kyc_documents d ON d.id = l.document_id
          WHERE d.user_id = $1 AND l.submitted_at IS NULL) AS unmarked,
              (SELECT count(*)::int FROM kyc_document_numbers WHERE kyc_id = $2) AS numbers`,
      [one.userId, one.kycId],
    );
    expect(found).toEqual({ unmarked: 0, numbers: 1 });
  });
});

describe('who decides', () => {
  const VERBS = ['claim', 'release', 'requestInfo', 'approve', 'reject'] as const;

  test.each(VERBS)('nobody can %s an own verification, not even a SUPER_ADMIN', async (verb) => {
    const user = await make.superAdmin(own.db);
    const one = await begunVerification(own.db, { user });
    const self = reviewing(own.db, one, user.id);
    await self.submit();
    expect(await outcomeOf(self[verb]())).toBe('FORBIDDEN');
    expect((await verificationState(own.db, one.kycId)).status).toBe('SUBMITTED');
  });

  test.each(VERBS)('%s of one that another has claimed is for a SUPER_ADMIN only', async (verb) => {
    const one = await submitted();
    await one.review.claim();
    const other = reviewing(own.db, one, (await make.admin(own.db)).id);
    expect(await outcomeOf(other[verb]())).toBe('ALREADY_CLAIMED');
    expect((await one.state()).history).toEqual(['SUBMITTED', 'CLAIMED']);
    const chief = reviewing(own.db, one, (await make.superAdmin(own.db)).id);
    expect(await outcomeOf(chief[verb]())).toBe('done');
  });

  test('claimed again by the same reviewer, nothing changes', async () => {
    const one = await submitted();
    const first = await one.review.claim();
    const before = await one.state();
    expect(await one.review.claim()).toEqual(first);
    expect(await one.state()).toEqual(before);
  });

  test('the audit record names the decision, without anybody’s words', async () => {
    const one = await submitted();
    await one.review.claim();
    await one.review.reject({ reason: 'SELFIE_MISMATCH' });
    const records = await rows<{ next: object }>(
      own.db,
      'SELECT next, client_address FROM audit_records WHERE entity_id = $1 ORDER BY sequence',
      [one.kycId],
    );
    expect(records[1]).toEqual({
      next: {
        status: 'REJECTED',
        assignedTo: null,
        reason: 'SELFIE_MISMATCH',
        documents: [],
        canResubmit: true,
      },
      clientAddress: '192.0.2.7',
    });
    expect(JSON.stringify(records)).not.toContain(NOTE);
    const history = await rows<{ id: string; note: Buffer }>(
      own.db,
      `SELECT id, note FROM kyc_history WHERE kyc_id = $1 AND action = 'REJECTED'`,
      [one.kycId],
    );
    expect(history.map(({ id, note }) => testKeys.open(note, sealPurposes.kycNote(id)).toString())).toEqual([
      NOTE,
    ]);
  });
});

describe('submitting', () => {
  test.each<[string, readonly KycDocumentType[], string]>([
    ['STANDARD', ['SELFIE'], 'PASSPORT'],
    ['STANDARD', ['NATIONAL_ID', 'SELFIE'], 'PASSPORT'],
    ['ENHANCED', NEEDED.STANDARD, 'ADDRESS_PROOF, INCOME_PROOF'],
  ])('%s with %p lacks %s', async (level, documents, missing) => {
    const requestedLevel = level as 'STANDARD' | 'ENHANCED';
    const one = await begunVerification(own.db, { requestedLevel, documents });
    await expect(reviewing(own.db, one, one.userId).submit()).rejects.toMatchObject({
      type: 'DOCUMENTS_MISSING',
      message: `Documents are missing: ${missing}.`,
      details: [{ documents: missing.split(', ') }],
    });
  });

  test('an identity document that has expired is refused', async () => {
    const one = await begunVerification(own.db, { info: { documentExpiryDate: dateIn(-1) } });
    expect(await outcomeOf(reviewing(own.db, one, one.userId).submit())).toBe('KYC_DOCUMENT_EXPIRED');
    const two = await begunVerification(own.db, { info: { documentExpiryDate: dateIn(0) } });
    expect(await outcomeOf(reviewing(own.db, two, two.userId).submit())).toBe('done');
  });

  test.each([
    ['ACTIVE', 'HIGH'],
    ['PENDING_PAYMENT', 'HIGH'],
    ['CANCELLED', 'NORMAL'],
  ] as const)('with a large investment that is %s, its priority is %s', async (status, priority) => {
    const one = await begunVerification(own.db);
    await make.participation(own.db, { userId: one.userId, status, amountMinor: 50_000_01 });
    const other = await begunVerification(own.db);
    await make.participation(own.db, { userId: other.userId, status, amountMinor: 50_000_00 });
    for (const { userId, ...begun } of [one, other])
      await reviewing(own.db, { ...begun, userId }, userId).submit();
    expect((await verificationState(own.db, one.kycId)).priority).toBe(priority);
    expect((await verificationState(own.db, other.kycId)).priority).toBe('NORMAL');
  });

  test('after a rejection that allows no other, there is none', async () => {
    const one = await submitted();
    await one.review.reject({ allowResubmission: false });
    const next = await begunVerification(own.db, { user: one.user });
    const review = reviewing(own.db, next, one.userId);
    const late = new Date(Date.now() + 48 * HOUR_MS);
    expect(await outcomeOf(review.submit({ at: late }))).toBe('RESUBMISSION_NOT_ALLOWED');
  });

  test('one that ended without an answer of its user can be submitted again at once', async () => {
    const one = await submitted();
    await one.review.requestInfo();
    await one.review.advance({ at: new Date(Date.now() + 31 * 24 * HOUR_MS) });
    expect((await one.state()).status).toBe('REJECTED');
    const next = await begunVerification(own.db, { user: one.user });
    expect(await outcomeOf(reviewing(own.db, next, one.userId).submit())).toBe('done');
  });
});

test('what was rejected too often is not submitted, whatever was stated since it was looked at', async () => {
  const one = await begunVerification(own.db);
  await execute(
    own.db,
    `INSERT INTO kyc_document_tries (user_id, type, tries, uploads) VALUES ($1, 'PASSPORT', 3, 0)
     ON CONFLICT ON CONSTRAINT kyc_document_tries_pkey DO UPDATE SET tries = 3`,
    [one.userId],
  );
  expect(await outcomeOf(reviewing(own.db, one, one.userId).submit())).toBe('MAX_ATTEMPTS');
});

describe('rejecting', () => {
  const triesOf = (userId: string) =>
    rows<{ type: string; tries: number }>(
      own.db,
      'SELECT type, tries FROM kyc_document_tries WHERE user_id = $1 AND tries > 0 ORDER BY type',
      [userId],
    );

  test('counts a try of each rejected type, of all without a list; submitting and asking count none', async () => {
    const one = await submitted();
    await one.review.requestInfo();
    await uploadedDocument(own.db, { ...one, type: 'SELFIE' });
    await one.review.submit();
    expect(await triesOf(one.userId)).toEqual([]);
    await one.review.reject({
      documents: [{ documentId: one.documentIds.PASSPORT!, reason: 'DOCUMENT_BLURRY' }],
    });
    expect(await triesOf(one.userId)).toEqual([{ type: 'PASSPORT', tries: 1 }]);

    const next = await begunVerification(own.db, { user: one.user });
    await uploadedDocument(own.db, { ...next, type: 'SELFIE' });
    const review = reviewing(own.db, next, (await make.admin(own.db)).id);
    await review.submit({ at: new Date(Date.now() + 48 * HOUR_MS) });
    await review.reject();
    expect(await triesOf(one.userId)).toEqual([
      { type: 'PASSPORT', tries: 2 },
      { type: 'SELFIE', tries: 1 },
    ]);
  });

  test('a document that it does not hold is refused by its place in the list', async () => {
    const one = await submitted();
    const another = await submitted();
    const documents = [one, another].map(({ documentIds }) => ({
      documentId: documentIds.SELFIE!,
      reason: 'SELFIE_MISMATCH' as const,
    }));
    await expect(one.review.reject({ documents })).rejects.toMatchObject({
      type: 'VALIDATION_ERROR',
      details: [{ 'rejectedDocuments.1.documentId': ['is not a document of this verification'] }],
    });
    expect(await one.state()).toMatchObject({
      status: 'SUBMITTED',
      documents: ['PASSPORT UPLOADED', 'SELFIE UPLOADED'],
    });
  });

  test.each([
    ['as the reason', 'SUSPECTED_FRAUD', 'DOCUMENT_BLURRY'],
    ['of one document', 'DOCUMENT_BLURRY', 'SUSPECTED_FRAUD'],
  ] as const)('suspected fraud %s is final', async (_, reason, ofDocument) => {
    const one = await submitted();
    const documents = [{ documentId: one.documentIds.PASSPORT!, reason: ofDocument }];
    await one.review.reject({ reason, documents, allowResubmission: true });
    expect(await one.state()).toMatchObject({ canResubmit: false, userStatus: 'REJECTED' });
    // Documents are deleted after some years.
    await execute(own.db, 'DELETE FROM kyc_documents WHERE user_id = $1', [one.userId]);
    expect(await inTransaction(own.db, (tx) => isSuspectedOfFraud(tx, one.userId))).toBe(true);
    await expect(
      execute(own.db, 'UPDATE kyc_verifications SET can_resubmit = true WHERE id = $1', [one.kycId]),
    ).rejects.toThrow('kyc_verifications_fraud_check');
    expect((await mailsTo(own.db, one.user.email)).at(-1)?.text).toContain(
      'You cannot submit another verification.',
    );
  });

  test('the level that the user has stays', async () => {
    const one = await submitted();
    await one.review.approve();
    const next = await begunVerification(own.db, { user: one.user, requestedLevel: 'ENHANCED' });
    const review = reviewing(own.db, next, (await make.admin(own.db)).id);
    await review.submit();
    await review.reject();
    expect(await verificationState(own.db, next.kycId)).toMatchObject({
      userStatus: 'REJECTED',
      userLevel: 'STANDARD',
    });
    expect((await one.state()).status).toBe('APPROVED');
  });
});

describe('approving', () => {
  test('a level whose documents are missing is refused, a lower one is not', async () => {
    const one = await submitted();
    await expect(one.review.approve({ level: 'ENHANCED' })).rejects.toMatchObject({
      type: 'VALIDATION_ERROR',
      details: [{ documents: ['ADDRESS_PROOF', 'INCOME_PROOF'] }, 'KYC_DOCUMENTS_MISSING'],
    });
    await one.review.approve({ level: 'BASIC' });
    expect(await one.state()).toMatchObject({ level: 'BASIC', userLevel: 'BASIC', expiresAt: null });
  });

  test('an identity document that expired meanwhile is refused', async () => {
    const one = await submitted({ info: { documentExpiryDate: dateIn(1) } });
    const at = new Date(Date.now() + 49 * HOUR_MS);
    expect(await outcomeOf(one.review.approve({ at }))).toBe('KYC_DOCUMENT_EXPIRED');
  });

  test('the end is that of the document, where that is earlier than the chosen one', async () => {
    const one = await submitted({ info: { documentExpiryDate: dateIn(100) } });
    await one.review.approve({ expiresAt: `${dateIn(200)}T00:00:00.000Z` });
    expect((await one.state()).expiresAt?.toISOString()).toBe(`${dateIn(101)}T00:00:00.000Z`);
  });

  test.each([
    ['STANDARD', -1, 'must be in the future'],
    ['BASIC', 30, 'cannot be set for level BASIC, which does not expire'],
  ] as const)('%s with an end in %i days: it %s', async (level, days, fault) => {
    const one = await submitted();
    await expect(
      one.review.approve({ level, expiresAt: `${dateIn(days)}T00:00:00.000Z` }),
    ).rejects.toMatchObject({ type: 'VALIDATION_ERROR', details: [{ expiresAt: [fault] }] });
    expect((await one.state()).status).toBe('SUBMITTED');
  });

  test('an earlier approval is superseded, and the new level is in force', async () => {
    const one = await submitted();
    await one.review.approve();
    const next = await begunVerification(own.db, { user: one.user, requestedLevel: 'ENHANCED' });
    const review = reviewing(own.db, next, (await make.admin(own.db)).id);
    await review.submit();
    await review.approve({ level: 'ENHANCED' });
    expect(await one.state()).toMatchObject({
      status: 'SUPERSEDED',
      userLevel: 'ENHANCED',
      history: ['SUBMITTED', 'APPROVED', 'SUPERSEDED'],
    });
    expect((await verificationState(own.db, next.kycId)).status).toBe('APPROVED');
    const ended = await firstRow(
      own.db,
      'SELECT ended_at IS NOT NULL AS ended FROM kyc_verifications WHERE id = $1',
      [one.kycId],
    );
    expect(ended).toEqual({ ended: true });
  });

  test.each([
    { had: 'STANDARD', given: 'BASIC' },
    { had: 'ENHANCED', given: 'STANDARD' },
    { had: 'ENHANCED', given: 'BASIC' },
  ] as const)('at $given takes $had not away, which stays in force', async ({ had, given }) => {
    const one = await submitted({ requestedLevel: 'ENHANCED' });
    await one.review.approve({ level: had });
    const next = await begunVerification(own.db, { user: one.user, requestedLevel: 'ENHANCED' });
    const review = reviewing(own.db, next, (await make.admin(own.db)).id);
    await review.submit();
    await review.approve({ level: given });
    expect(await one.state()).toMatchObject({ status: 'APPROVED', level: had, userLevel: had });
    expect(await verificationState(own.db, next.kycId)).toMatchObject({
      ...{ status: 'APPROVED', level: given, userStatus: 'APPROVED', userLevel: had },
    });
    const mails = await mailsTo(own.db, one.user.email);
    expect(mails.at(-1)?.text).toContain(`Your account keeps level ${had}`);
    const broken = await brokenInvariants(own.db, { patienceSeconds: 86_400 });
    expect(broken.filter(({ entity }) => [one.userId, one.kycId, next.kycId].includes(entity))).toEqual([]);
  });

  test('at a level again replaces the earlier one, and at a higher one all that are in force', async () => {
    const one = await submitted({ requestedLevel: 'ENHANCED' });
    const approved: string[] = [];
    const statuses = () =>
      Promise.all(approved.map(async (kycId) => (await verificationState(own.db, kycId)).status));
    for (const level of ['STANDARD', 'BASIC', 'STANDARD', 'BASIC', 'ENHANCED'] as const) {
      const next =
        approved.length === 0
          ? one
          : await begunVerification(own.db, { user: one.user, requestedLevel: 'ENHANCED' });
      const review = reviewing(own.db, next, (await make.admin(own.db)).id);
      if (next !== one) await review.submit();
      await review.approve({ level });
      approved.push(next.kycId);
      if (approved.length === 3) expect(await statuses()).toEqual(['SUPERSEDED', 'SUPERSEDED', 'APPROVED']);
    }
    expect(await statuses()).toEqual([...Array<string>(4).fill('SUPERSEDED'), 'APPROVED']);
    expect((await one.state()).userLevel).toBe('ENHANCED');
  });
});

test.each([`erased_at = now(), password_hash = NULL`, `status = 'BANNED'`])(
  'an account with %s gets no mail',
  async (standing) => {
    const one = await submitted();
    await execute(own.db, `UPDATE users SET ${standing} WHERE id = $1`, [one.userId]);
    await one.review.reject();
    expect((await one.state()).mails).toEqual(['submitted']);
  },
);
