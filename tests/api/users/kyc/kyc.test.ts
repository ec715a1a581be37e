import { v7 } from 'uuid';
import { z } from 'zod';
import { execute, rows } from '../../../../db/sql/query';
import { openPersonalInfo } from '../../../../db/kyc/verification/personal-info';
import { sealRequestedMessage } from '../../../../db/kyc/verification/requested-message';
import { latestVerification } from '../../../../db/kyc/verification/verification.reads';
import { personalInfo } from '../../../support/builders/kyc/personal-info';
import { ownWorld } from '../../../support/worlds/world';
import { testKeys } from '../../../support/worlds/variables';
import { applicant, refused } from './applicant';

const lines: string[] = [];
const world = ownWorld({ worker: false, lines });

const DAY_MS = 86_400_000;
const inDays = (days: number) => new Date(Date.now() + days * DAY_MS);
const date = (at: Date) => at.toISOString().slice(0, 10);
const someone = () => applicant(world);

const none = {
  ...{ id: null, status: 'NOT_STARTED', level: 'BASIC', requestedLevel: null, documents: [] },
  ...{ rejection: null, requested: null, canResubmit: true, nextSubmissionAt: null },
  ...{ submittedAt: null, reviewedAt: null, expiresAt: null },
};

const started = (id: unknown = expect.any(String)) => ({
  ...none,
  ...{ id, status: 'DOCUMENTS_PENDING', requestedLevel: 'STANDARD' },
});

describe('GET /users/kyc', () => {
  test('200: nothing has begun', async () => {
    const { call } = await someone();
    const { status, body } = await call('get', '/users/kyc');
    expect({ status, body }).toEqual({ status: 200, body: { success: true, data: none } });
  });

  test('200: my own verification, and nobody else’s', async () => {
    const [me, other] = [await someone(), await someone()];
    const { body } = await me.start();
    expect(await me.view()).toEqual(started(body.data.id));
    expect(await other.view()).toEqual(none);
  });

  test('200: a rejection with its documents, and when it can be submitted again', async () => {
    const me = await someone();
    await me.start();
    const { body } = await me.upload('PASSPORT');
    await execute(
      world.db,
      `UPDATE kyc_verification_documents SET status = 'REJECTED', reason = 'DOCUMENT_EXPIRED' WHERE document_id = $1`,
      [body.data.id],
    );
    const submittedAt = new Date(Date.now() - 3_600_000);
    await me.put('REJECTED', { submitted_at: submittedAt });
    const next = new Date(submittedAt.getTime() + DAY_MS).toISOString();
    expect(await me.view()).toMatchObject({
      status: 'REJECTED',
      documents: [{ id: body.data.id, status: 'REJECTED', reason: 'DOCUMENT_EXPIRED' }],
      rejection: {
        reason: 'DOCUMENT_BLURRY',
        documents: [{ id: body.data.id, reason: 'DOCUMENT_EXPIRED' }],
      },
      canResubmit: true,
      nextSubmissionAt: next,
      submittedAt: submittedAt.toISOString(),
      reviewedAt: expect.any(String),
    });
    await me.start();
    expect(await me.view()).toMatchObject({
      status: 'DOCUMENTS_PENDING',
      rejection: null,
      nextSubmissionAt: next,
    });
  });

  test('200: the wait is over after the hours, and there is none where nothing can be submitted again', async () => {
    const me = await someone();
    await me.start();
    await me.put('REJECTED', { submitted_at: inDays(-1.01) });
    expect(await me.view()).toMatchObject({ canResubmit: true, nextSubmissionAt: null });
    await me.put('REJECTED', { submitted_at: new Date(), can_resubmit: false });
    expect(await me.view()).toMatchObject({ canResubmit: false, nextSubmissionAt: null });
  });

  test('200: the question of a reviewer, in their own words', async () => {
    const me = await someone();
    await me.start();
    await me.put('NEEDS_INFO', {
      requested_message: sealRequestedMessage(testKeys, (await me.view()).id, 'The whole page, please.'),
      requested_documents: ['SELFIE'],
    });
    expect(await me.view()).toMatchObject({
      status: 'NEEDS_INFO',
      requested: { message: 'The whole page, please.', documents: ['SELFIE'] },
      rejection: null,
    });
    await me.put('REJECTED', { rejection_reason: 'INFO_NOT_PROVIDED' });
    expect((await me.view()).requested).toBeNull();
  });

  test('200: a question that cannot be opened hides nothing else, and is a security event', async () => {
    const me = await someone();
    await me.start();
    const of = sealRequestedMessage(testKeys, v7(), 'Of somebody else.');
    await me.put('NEEDS_INFO', { requested_message: of, requested_documents: ['SELFIE'] });
    lines.length = 0;
    expect(await me.view()).toMatchObject({
      ...{ status: 'NEEDS_INFO', requested: { message: '', documents: ['SELFIE'] } },
    });
    expect(lines.filter((line) => line.includes('kyc-unreadable'))).toHaveLength(1);
  });

  test('200: the level stays, with its end, while a higher one is asked for', async () => {
    const me = await someone();
    await me.start();
    const expiresAt = inDays(700);
    await me.put('APPROVED', { expires_at: expiresAt });
    expect(await me.view()).toMatchObject({
      status: 'APPROVED',
      level: 'STANDARD',
      expiresAt: expiresAt.toISOString(),
    });
    await me.start({}, { requestedLevel: 'ENHANCED' });
    expect(await me.view()).toMatchObject({
      status: 'DOCUMENTS_PENDING',
      level: 'STANDARD',
      requestedLevel: 'ENHANCED',
      expiresAt: expiresAt.toISOString(),
    });
  });

  test.each(['EXPIRED', 'WITHDRAWN'])('200: after %s there is none', async (status) => {
    const me = await someone();
    await me.start();
    await me.put(status);
    expect(await me.view()).toEqual(none);
  });
});

describe('POST /users/kyc', () => {
  test('201: a verification begins, and the account says so', async () => {
    const me = await someone();
    const { status, body } = await me.start();
    expect({ status, body }).toEqual({ status: 201, body: { success: true, data: started() } });
    const { data } = (await me.call('get', '/users/me')).body;
    expect(data.kyc).toEqual({ status: 'DOCUMENTS_PENDING', level: 'BASIC' });
    expect(await me.history()).toEqual(['STARTED']);
  });

  test.each(['DOCUMENTS_PENDING', 'NEEDS_INFO'])('201: while %s the same one is restated', async (status) => {
    const me = await someone();
    const first = await me.start();
    if (status !== 'DOCUMENTS_PENDING') await me.put(status);
    const second = await me.start({ lastName: 'Byron' }, { requestedLevel: 'ENHANCED' });
    expect(second.body.data).toMatchObject({ id: first.body.data.id, status, requestedLevel: 'ENHANCED' });
    const latest = await latestVerification(world.db, me.user.id);
    expect(openPersonalInfo(testKeys, latest!)).toEqual({ ...personalInfo, lastName: 'Byron' });
    expect(await me.history()).toEqual(['STARTED', 'CHANGED']);
  });

  test('201: changes in a row are one event, until something else happens', async () => {
    const me = await someone();
    await me.start();
    for (const lastName of ['Byron', 'King']) expect((await me.start({ lastName })).status).toBe(201);
    await me.upload('SELFIE');
    await me.start();
    expect(await me.history()).toEqual(['STARTED', 'CHANGED', 'DOCUMENT_UPLOADED', 'CHANGED']);
  });

  test('201: optional fields may be left out, null or spaced', async () => {
    const me = await someone();
    const { address, ...info } = personalInfo;
    const { apartment: _apartment, ...place } = address;
    const sent = {
      ...info,
      middleName: undefined,
      documentIssueDate: null,
      firstName: '  Ada ',
      address: place,
    };
    expect((await me.start(sent)).status).toBe(201);
    const latest = await latestVerification(world.db, me.user.id);
    expect(openPersonalInfo(testKeys, latest!)).toEqual({ ...personalInfo, documentIssueDate: null });
  });

  test('201: after a rejection, with the documents that were not rejected', async () => {
    const me = await someone();
    await me.start();
    const kept = await me.upload('SELFIE');
    const rejected = await me.upload('PASSPORT');
    await execute(
      world.db,
      `UPDATE kyc_verification_documents SET status = 'REJECTED' WHERE document_id = $1`,
      [rejected.body.data.id],
    );
    await me.put('REJECTED');
    const before = await latestVerification(world.db, me.user.id);
    const { body } = await me.start();
    expect(body.data.id).not.toBe(before!.id);
    expect(body.data.documents).toEqual([kept.body.data]);
  });

  test('201: for a higher level the accepted documents are to be decided anew, and stay accepted where they were', async () => {
    const me = await someone();
    await me.start();
    const { body: uploaded } = await me.upload('SELFIE');
    const links = 'SELECT status FROM kyc_verification_documents WHERE document_id = $1 ORDER BY kyc_id';
    await execute(
      world.db,
      `UPDATE kyc_verification_documents SET status = 'ACCEPTED' WHERE document_id = $1`,
      [uploaded.data.id],
    );
    await me.put('APPROVED');
    expect((await me.view()).documents).toMatchObject([{ id: uploaded.data.id, status: 'ACCEPTED' }]);
    const { body } = await me.start({}, { requestedLevel: 'ENHANCED' });
    expect(body.data.documents).toEqual([{ ...uploaded.data, status: 'UPLOADED' }]);
    expect(await rows(world.db, links, [uploaded.data.id])).toEqual([
      { status: 'ACCEPTED' },
      { status: 'UPLOADED' },
    ]);
  });

  test.each([
    ['that is EXPIRED', 'EXPIRED', {}],
    ['whose time is over, before the daily run', 'APPROVED', { expires_at: inDays(-1) }],
    ['that was WITHDRAWN', 'WITHDRAWN', {}],
  ] as const)('201: from a verification %s no document is carried over', async (_, status, columns) => {
    const me = await someone();
    await me.start();
    expect((await me.upload('SELFIE')).status).toBe(201);
    await me.put(status, columns);
    const { status: answered, body } = await me.start();
    expect([answered, body.data.documents]).toEqual([201, []]);
  });

  test('201: again when the approval is about to expire, or has', async () => {
    const me = await someone();
    await me.start();
    await me.put('APPROVED', { expires_at: inDays(59) });
    expect((await me.start()).status).toBe(201);
    const other = await someone();
    await other.start();
    await other.put('EXPIRED', { decided_at: new Date() });
    expect((await other.start()).status).toBe(201);
  });

  test('two at once are one, and the same key is answered the same', async () => {
    const me = await someone();
    const answers = await Promise.all(Array.from({ length: 8 }, () => me.start()));
    expect(answers.map(({ status }) => status)).toEqual(Array(8).fill(201));
    expect(new Set(answers.map(({ body }) => body.data.id)).size).toBe(1);
    expect((await me.history()).sort()).toEqual(['CHANGED', 'STARTED']);

    const other = await someone();
    const keyed = () =>
      world.http
        .post('/api/v1/users/kyc')
        .auth(other.token, { type: 'bearer' })
        .set('Idempotency-Key', 'one')
        .send({ personalInfo });
    const [one, same] = [await keyed(), await keyed()];
    expect(same.body).toEqual(one.body);
    expect(await other.history()).toEqual(['STARTED']);
  });

  test('fields that it does not have change nothing, and are named', async () => {
    const me = await someone();
    const smuggled = {
      status: 'APPROVED',
      level: 'ENHANCED',
      userId: (await someone()).user.id,
      canResubmit: false,
    };
    const { status, body } = await me.start({ kycStatus: 'APPROVED' }, smuggled);
    expect(status).toBe(201);
    expect(body.data).toEqual(started());
    expect([...body.meta.ignored].sort()).toEqual(
      ['canResubmit', 'level', 'personalInfo.kycStatus', 'status', 'userId'].sort(),
    );
  });

  test('no column holds a name, a date of birth or a number', async () => {
    const me = await someone();
    const info = {
      firstName: 'Wilhelmina',
      lastName: 'Zeppelin',
      dateOfBirth: '1971-03-17',
      documentNumber: 'QX77-9921',
    };
    await me.start(info);
    await me.upload('PASSPORT');
    const tables = ['kyc_verifications', 'kyc_documents', 'kyc_history', 'idempotency_keys', 'users'];
    for (const table of tables) {
      const found = await rows<{ row: string }>(world.db, `SELECT t::text AS row FROM ${table} t`);
      const text = found.map(({ row }) => row).join('\n');
      const hex = (plain: string) => Buffer.from(plain).toString('hex');
      for (const plain of ['Wilhelmina', 'Zeppelin', '1971-03-17', 'QX77-9921', 'QX779921']) {
        expect(text).not.toContain(plain);
        expect(text).not.toContain(hex(plain));
      }
    }
  });
});

describe('POST /users/kyc refuses', () => {
  const eighteen = (days: number): string => {
    const at = inDays(days);
    at.setUTCFullYear(at.getUTCFullYear() - 18);
    return date(at);
  };

  test.each<[string, object, string]>([
    ['no name', { firstName: '' }, 'personalInfo.firstName'],
    ['a name with digits', { lastName: 'L0velace' }, 'personalInfo.lastName'],
    ['a date that is none', { dateOfBirth: '1990-02-30' }, 'personalInfo.dateOfBirth'],
    ['a birth to come', { dateOfBirth: date(inDays(3)) }, 'personalInfo.dateOfBirth'],
    ['a birth 131 years ago', { dateOfBirth: date(inDays(-131.1 * 365.25)) }, 'personalInfo.dateOfBirth'],
    ['somebody who is 18 tomorrow', { dateOfBirth: eighteen(1.5) }, 'personalInfo.dateOfBirth'],
    ['an unknown country', { nationality: 'XX' }, 'personalInfo.nationality'],
    ['a number that is too short', { documentNumber: 'A1' }, 'personalInfo.documentNumber'],
    ['one that is too long', { documentNumber: 'A'.repeat(41) }, 'personalInfo.documentNumber'],
    ['Cyrillic letters that look Latin', { documentNumber: 'С01Х00Т47' }, 'personalInfo.documentNumber'],
    ['Arabic digits', { documentNumber: 'C٠١X٠٠T٤٧' }, 'personalInfo.documentNumber'],
    ['one with other signs', { documentNumber: 'A1_<b>' }, 'personalInfo.documentNumber'],
    ['a selfie as identity document', { documentType: 'SELFIE' }, 'personalInfo.documentType'],
    ['a document of tomorrow', { documentIssueDate: date(inDays(2)) }, 'personalInfo.documentIssueDate'],
    [
      'one that expired yesterday',
      { documentExpiryDate: date(inDays(-1)) },
      'personalInfo.documentExpiryDate',
    ],
    ['no day on which it expires', { documentExpiryDate: null }, 'personalInfo.documentExpiryDate'],
    ['no region', { address: { ...personalInfo.address, region: undefined } }, 'personalInfo.address.region'],
    ['no address', { address: undefined }, 'personalInfo.address'],
    [
      'a long street',
      { address: { ...personalInfo.address, street: 'x'.repeat(201) } },
      'personalInfo.address.street',
    ],
  ])('400 VALIDATION_ERROR: %s', async (_what, change, field) => {
    const me = await someone();
    const answer = await me.start(change);
    expect(refused(answer)).toEqual([400, 'VALIDATION_ERROR']);
    expect(z.record(z.string(), z.array(z.string())).parse(answer.body.error.details)).toHaveProperty([
      field,
    ]);
    expect(await me.view()).toEqual(none);
  });

  test('201: 18 today is old enough', async () => {
    expect((await (await someone()).start({ dateOfBirth: eighteen(0) })).status).toBe(201);
  });

  test('201: a document is valid on its last day', async () => {
    const today = { documentExpiryDate: date(new Date()) };
    expect((await (await someone()).start(today)).status).toBe(201);
  });

  test('400 VALIDATION_ERROR: an unknown level', async () => {
    expect(refused(await (await someone()).start({}, { requestedLevel: 'BASIC' }))).toEqual([
      400,
      'VALIDATION_ERROR',
    ]);
  });

  test.each(['SUBMITTED', 'UNDER_REVIEW'])('400 NOT_EDITABLE while %s', async (status) => {
    const me = await someone();
    await me.start();
    await me.put('SUBMITTED');
    if (status === 'UNDER_REVIEW')
      await me.put(status, {
        due_at: inDays(1),
        assigned_to: (await someone()).user.id,
        claimed_at: new Date(),
        claim_lapses_at: inDays(1),
      });
    expect(refused(await me.start())).toEqual([400, 'NOT_EDITABLE']);
  });

  test('400 KYC_ALREADY_APPROVED for that level or a lower one, also while a higher one is asked for', async () => {
    const me = await someone();
    await me.start();
    await me.put('APPROVED', { expires_at: inDays(61) });
    expect(refused(await me.start())).toEqual([400, 'VALIDATION_ERROR', 'KYC_ALREADY_APPROVED']);
    expect((await me.start({}, { requestedLevel: 'ENHANCED' })).status).toBe(201);
    expect(refused(await me.start())).toEqual([400, 'VALIDATION_ERROR', 'KYC_ALREADY_APPROVED']);
  });

  test('400 RESUBMISSION_NOT_ALLOWED where the rejection is final', async () => {
    const me = await someone();
    await me.start();
    await me.put('REJECTED', { rejection_reason: 'SUSPECTED_FRAUD', can_resubmit: false });
    expect(refused(await me.start())).toEqual([400, 'VALIDATION_ERROR', 'RESUBMISSION_NOT_ALLOWED']);
  });
});
