import { randomUUID } from 'node:crypto';
import { KeyRing } from '../../../../db/sealing/key-ring';
import { eraseAccount } from '../../../../db/identity/account-deletion/erasure.transitions';
import { storeSubmittedNumber } from '../../../../db/kyc/number/submitted-number.writes';
import { sealRequestedMessage } from '../../../../db/kyc/verification/requested-message';
import { addProviderReport } from '../../../../db/investment/kyc-push/kyc-provider-report.writes';
import { sealPurposes } from '../../../../db/sealing/purposes';
import { execute, type Tx } from '../../../../db/sql/query';
import { inTransaction } from '../../../../db/sql/transaction';
import { make } from '../../../support/builders/make';
import { personalInfo } from '../../../support/builders/kyc/personal-info';
import { testKeys, testVariables } from '../../../support/worlds/variables';
import { startWorld } from '../../../support/worlds/world';
import { signIn } from '../../../support/builders/sign-in';
import { startAdminWorld, outcomeOf, type AdminWorld } from '../admin-world';
import { recordsOf } from '../records';
import { documentIn, eventIn, verificationIn } from './cases';

const lines: string[] = [];
let desk: AdminWorld;
beforeAll(async () => {
  desk = await startAdminWorld({ worker: false, lines });
});
afterAll(() => desk.world.teardown());

const open = (id: string, token = desk.tokens.admin) => desk.ask('get', `/admin/kyc/${id}`, undefined, token);

async function shown(id: string, token?: string) {
  const answer = await open(id, token);
  expect(outcomeOf(answer)).toBe('200');
  return answer.body.data;
}

/** A number with which a verification was submitted. */
const numberIn = ({ db }: AdminWorld['world'], kycId: string, documentNumber: string) =>
  inTransaction(db, (tx) => storeSubmittedNumber(tx, testKeys, { kycId, documentNumber }, new Date()));

const erase = (userId: string) => inTransaction(desk.world.db, (tx) => eraseAccount(tx, userId, new Date()));

const duplicatesIn = async (id: string) =>
  (await shown(id)).signals.duplicates as { kind: string; kycId: string; email: string }[];

/** A provider's report on a person, received so many seconds after 1970. */
const reportOn = (
  tx: Tx,
  { userId, providerCode, n }: { userId: string; providerCode: string; n: number },
) => {
  const id = randomUUID();
  const data = testKeys.seal(Buffer.from(JSON.stringify({ n })), sealPurposes.kycProviderReport(id));
  return addProviderReport(tx, {
    ...{ id, userId, providerCode, status: 'APPROVED', level: 'STANDARD', data },
    ...{ webhookEventId: randomUUID(), receivedAt: new Date(n * 1_000) },
  });
};

describe('GET /admin/kyc/:id', () => {
  test('what providers say of the person: the newest 20, opened; erased with the account', async () => {
    const { world } = desk;
    const { db } = world;
    const made = await verificationIn(world, { status: 'SUBMITTED' });
    const { code } = await make.provider(db);
    for (let n = 1; n <= 22; n++)
      await inTransaction(db, (tx) => reportOn(tx, { userId: made.user.id, providerCode: code, n }));
    const { providerReports } = await shown(made.id);
    expect(providerReports).toHaveLength(20);
    expect(providerReports[0]).toEqual({
      ...{ id: expect.any(String) as string, providerCode: code, status: 'APPROVED', level: 'STANDARD' },
      ...{ data: { n: 22 }, receivedAt: new Date(22_000).toISOString() },
    });
    const own = await world.http
      .get('/api/v1/users/me/export')
      .auth(await signIn(world, made.user), { type: 'bearer' })
      .expect(200);
    expect(own.body.data.providerReports).toHaveLength(22);
    await erase(made.user.id);
    expect((await shown(made.id)).providerReports).toEqual([]);
  });

  test('everything that a reviewer compares: data, documents, history', async () => {
    const { world, admin } = desk;
    const made = await verificationIn(world, {
      ...{ status: 'UNDER_REVIEW', assignedTo: admin.id, requestedLevel: 'ENHANCED', priority: 'HIGH' },
      info: { documentNumber: 'D-1', middleName: 'King' },
    });
    const first = await documentIn(world, made, {
      uploadedAt: new Date(1_000),
      status: 'REJECTED',
      reason: 'DOCUMENT_BLURRY',
      name: 'my passport.jpg',
    });
    const page = { contentType: 'application/pdf', name: 'Seite 2.pdf', thumbnail: null } as const;
    const second = await documentIn(world, made, page);
    const at = new Date('2026-11-01T10:00:00.000Z');
    await eventIn(world, made.id, { action: 'SUBMITTED', at });
    await eventIn(world, made.id, { action: 'CLAIMED', performedBy: admin.id, note: 'Mine.' });
    const url = `${world.url}/api/v1/admin/kyc/${made.id}/documents`;
    expect(await shown(made.id)).toMatchObject({
      id: made.id,
      user: { id: made.user.id, email: made.user.email, name: 'Ada Lovelace', phone: null, status: 'ACTIVE' },
      status: 'UNDER_REVIEW',
      level: null,
      requestedLevel: 'ENHANCED',
      priority: 'HIGH',
      assignedTo: admin.id,
      assignedToEmail: admin.email,
      personalInfo: { ...personalInfo, documentNumber: 'D-1', middleName: 'King' },
      documents: [
        {
          id: first,
          type: 'PASSPORT',
          fileName: 'my passport.jpg',
          fileUrl: `${url}/${first}/file`,
          thumbnailUrl: `${url}/${first}/thumbnail`,
          status: 'REJECTED',
          reason: 'DOCUMENT_BLURRY',
          ocrData: null,
          removedAt: null,
          uploadedAt: '1970-01-01T00:00:01.000Z',
        },
        {
          id: second,
          fileName: 'Seite 2.pdf',
          fileUrl: `${url}/${second}/file`,
          thumbnailUrl: null,
          status: 'UPLOADED',
          reason: null,
        },
      ],
      signals: { duplicates: [] },
      history: [
        {
          ...{ action: 'SUBMITTED', note: null, timestamp: at.toISOString() },
          ...{ performedBy: null, performedByEmail: null },
        },
        { action: 'CLAIMED', performedBy: admin.id, performedByEmail: admin.email, note: 'Mine.' },
      ],
      requested: null,
      reviewedAt: null,
      reviewedBy: null,
      reviewedByEmail: null,
      rejectionReason: null,
      canResubmit: true,
      expiresAt: null,
    });
  });

  test('a decided one: by whom, when, and until when; what was asked for', async () => {
    const { world, superAdmin } = desk;
    const decidedAt = new Date('2026-11-02T10:00:00.000Z');
    const by = { decidedAt, decidedBy: superAdmin.id };
    const approved = await verificationIn(world, { status: 'APPROVED', level: 'STANDARD', ...by });
    const reviewed = { reviewedBy: superAdmin.id, reviewedByEmail: superAdmin.email };
    const reviewedAt = decidedAt.toISOString();
    expect(await shown(approved.id)).toMatchObject({
      ...{ status: 'APPROVED', level: 'STANDARD', reviewedAt, ...reviewed, dueAt: null },
      expiresAt: '2030-01-01T00:00:00.000Z',
    });
    const rejected = await verificationIn(world, { status: 'REJECTED', canResubmit: false, ...by });
    expect(await shown(rejected.id)).toMatchObject({
      ...{ status: 'REJECTED', rejectionReason: 'DOCUMENT_BLURRY', canResubmit: false, ...reviewed },
    });
    const asked = await verificationIn(world, { status: 'NEEDS_INFO' });
    await execute(
      world.db,
      `UPDATE kyc_verifications SET requested_message = $2, requested_documents = '{SELFIE}' WHERE id = $1`,
      [asked.id, sealRequestedMessage(testKeys, asked.id, 'All of it.')],
    );
    expect(await shown(asked.id)).toMatchObject({
      requested: { message: 'All of it.', documents: ['SELFIE'] },
    });
  });

  test.each([
    ['EXPIRED', 'NOT_STARTED'],
    ['SUPERSEDED', 'APPROVED'],
    ['WITHDRAWN', 'NOT_STARTED'],
  ] as const)(
    'one that is %s has a status of the contract, %s, and says how it is over',
    async (ending, status) => {
      const { id } = await verificationIn(desk.world, { status: ending });
      expect(await shown(id)).toMatchObject({ status, ending });
      const open = await verificationIn(desk.world);
      expect(await shown(open.id)).toMatchObject({ status: 'SUBMITTED', ending: null, endedAt: null });
    },
  );

  test('an unanswered question is in the history, and is no longer asked once it is rejected', async () => {
    const { id } = await verificationIn(desk.world, {
      status: 'REJECTED',
      rejectionReason: 'INFO_NOT_PROVIDED',
    });
    await execute(desk.world.db, 'UPDATE kyc_verifications SET requested_message = $2 WHERE id = $1', [
      id,
      sealRequestedMessage(testKeys, id, 'All of it.'),
    ]);
    await eventIn(desk.world, id, { action: 'INFO_REQUESTED', note: 'All of it.' });
    expect(await shown(id)).toMatchObject({
      ...{ status: 'REJECTED', requested: null, history: [{ action: 'INFO_REQUESTED', note: 'All of it.' }] },
    });
  });

  test('each opening is in the audit log, also by HEAD; what is refused is not', async () => {
    const { id, user } = await verificationIn(desk.world);
    const token = await signIn(desk.world, user);
    await open(id, token);
    const { submittedAt } = (await open(id)).body.data;
    const opened = { userId: user.id, submittedAt };
    await desk.world.http.head(`/api/v1/admin/kyc/${id}`).auth(desk.tokens.superAdmin, { type: 'bearer' });
    expect(await recordsOf(desk, 'kyc', id)).toEqual([
      { actorId: desk.admin.id, action: 'kyc.open', previous: null, next: opened },
      { actorId: desk.superAdmin.id, action: 'kyc.open', previous: null, next: opened },
    ]);
  });

  test('what its user repeats pushes nothing of the reviewers out of the history', async () => {
    const { world, admin } = desk;
    const { id, user } = await verificationIn(world, { status: 'NEEDS_INFO' });
    await eventIn(world, id, {
      action: 'INFO_REQUESTED',
      performedBy: admin.id,
      note: 'Why?',
      at: new Date(1_000),
    });
    for (let i = 0; i < 201; i++)
      await eventIn(world, id, {
        action: 'DOCUMENT_UPLOADED',
        performedBy: user.id,
        at: new Date(2_000 + i),
      });
    const history = (await shown(id)).history as { action: string; timestamp: string }[];
    expect(history).toHaveLength(201);
    expect(history[0]).toMatchObject({ action: 'INFO_REQUESTED', note: 'Why?' });
    expect(history[1]!.timestamp).toBe(new Date(2_001).toISOString());
  });

  test('KYC_NOT_FOUND, FORBIDDEN for an own case and for users, VALIDATION_ERROR', async () => {
    expect(outcomeOf(await open(randomUUID()))).toBe('404 KYC_NOT_FOUND');
    expect(outcomeOf(await open('queues'))).toBe('400 VALIDATION_ERROR');
    const { id, user } = await verificationIn(desk.world);
    expect(outcomeOf(await open(id, await signIn(desk.world, user)))).toBe('403 FORBIDDEN');
    const own = await verificationIn(desk.world, { user: desk.admin });
    const refused = await open(own.id);
    expect(outcomeOf(refused)).toBe('403 FORBIDDEN');
    expect(JSON.stringify(refused.body)).not.toContain('Lovelace');
    expect(outcomeOf(await open(own.id, desk.tokens.superAdmin))).toBe('200');
    expect(await recordsOf(desk, 'kyc', own.id)).toHaveLength(1);
  });

  test('erased data are null, and so are data that were altered, which is a security event', async () => {
    const made = await verificationIn(desk.world, { status: 'WITHDRAWN' });
    const set = (bytes: Buffer | null) =>
      execute(
        desk.world.db,
        `UPDATE kyc_verifications SET personal_info = $2, document_number_mac = NULL, document_number_key = NULL
          WHERE id = $1`,
        [made.id, bytes],
      );
    await set(null);
    expect(await shown(made.id)).toMatchObject({
      personalInfo: null,
      status: 'NOT_STARTED',
      ending: 'WITHDRAWN',
    });
    expect(lines.join('')).not.toContain('kyc-unreadable');
    await set(Buffer.from('what somebody wrote there'));
    expect(await shown(made.id)).toMatchObject({ personalInfo: null });
    expect(lines.join('')).toContain('kyc-unreadable');
  });
});

describe('the same number or file under another account', () => {
  test('is shown with who and where, in the same region only, never of an erased account without fraud or the own', async () => {
    const { world } = desk;
    const info = { documentNumber: 'C01-SAME-1' };
    const [mine, others] = [
      await verificationIn(world, { info }),
      await verificationIn(world, { status: 'REJECTED', info: { documentNumber: 'c01 same 1' } }),
    ];
    await verificationIn(world, { user: mine.user, status: 'REJECTED', info });
    const abroad = await make.user(world.db, { region: 'US' });
    await verificationIn(world, { user: abroad, info });
    const gone = await verificationIn(world, { status: 'REJECTED', info });
    await numberIn(world, gone.id, info.documentNumber);
    await erase(gone.user.id);
    await documentIn(world, mine, { content: 'one and the same picture' });
    await documentIn(world, others, { content: 'one and the same picture', type: 'NATIONAL_ID' });
    await documentIn(world, mine, { content: 'another picture', type: 'SELFIE' });
    const { user, id: kycId } = others;
    const other = {
      kycId,
      userId: user.id,
      email: user.email,
      status: 'REJECTED',
      ending: null,
      at: expect.any(String) as string,
    };
    expect((await shown(mine.id)).signals).toEqual({
      duplicates: [
        { kind: 'FILE', ...other },
        { kind: 'DOCUMENT_NUMBER', ...other },
      ],
    });
    expect((await duplicatesIn(others.id)).map(({ kind }) => kind).sort()).toEqual([
      'DOCUMENT_NUMBER',
      'FILE',
    ]);
  });

  test('stays visible when the number is replaced after a submission, on both sides', async () => {
    const { world } = desk;
    const documentNumber = 'C01-REPLACED';
    const other = await verificationIn(world, { info: { documentNumber } });
    const suspect = await verificationIn(world, { status: 'NEEDS_INFO', info: { documentNumber: 'NEW-1' } });
    await numberIn(world, suspect.id, documentNumber);
    expect((await duplicatesIn(suspect.id)).map(({ kycId }) => kycId)).toEqual([other.id]);
    expect((await duplicatesIn(other.id)).map(({ kycId }) => kycId)).toEqual([suspect.id]);
  });

  test('is shown of an erased account that was rejected for fraud, without its address', async () => {
    const { world } = desk;
    const info = { documentNumber: 'C01-FRAUD' };
    const gone = await verificationIn(world, {
      ...{ status: 'REJECTED', rejectionReason: 'SUSPECTED_FRAUD', canResubmit: false, info },
    });
    await numberIn(world, gone.id, info.documentNumber);
    await erase(gone.user.id);
    const again = await verificationIn(world, {
      info: { ...info, documentType: 'NATIONAL_ID', nationality: 'AT' },
    });
    expect(await duplicatesIn(again.id)).toMatchObject([
      { kind: 'DOCUMENT_NUMBER', kycId: gone.id, userId: gone.user.id, email: null, status: 'REJECTED' },
    ]);
  });

  test('an account counts once for each kind, with its newest, and 20 are enough', async () => {
    const { world } = desk;
    const info = { documentNumber: 'C01-MANY' };
    const mine = await verificationIn(world, { info });
    const twice = await make.user(world.db);
    const at = (day: number) => new Date(Date.UTC(2026, 0, day));
    await verificationIn(world, { user: twice, status: 'REJECTED', submittedAt: at(1), info });
    const newest = await verificationIn(world, { user: twice, submittedAt: at(2), info });
    expect((await duplicatesIn(mine.id)).map(({ kycId }) => kycId)).toEqual([newest.id]);
    for (let i = 0; i < 21; i++) await verificationIn(world, { info, submittedAt: at(3 + i) });
    const many = (await duplicatesIn(mine.id)).map(({ kycId }) => kycId);
    expect(many).toHaveLength(20);
    expect(many).not.toContain(newest.id);
  });
});

describe('after a change of the first sealing key', () => {
  test('numbers and files from before are found from the new ones, and the reverse', async () => {
    const current = { id: 'next', key: Buffer.alloc(32, 9) };
    const [old] = testVariables['SEALING_KEYS']!.split(',');
    const world = await startWorld({
      worker: false,
      variables: { SEALING_KEYS: `next:${current.key.toString('base64')},${old}` },
    });
    try {
      const now = new KeyRing([current, { id: 'test', key: Buffer.alloc(32, 8) }]);
      const info = { documentNumber: 'C01-ROTATED' };
      const before = await verificationIn(world, { info, keys: testKeys });
      const after = await verificationIn(world, { info, keys: now });
      await documentIn(world, before, { content: 'the same file', keys: testKeys });
      await documentIn(world, after, { content: 'the same file', keys: now });
      const token = await signIn(world, await make.admin(world.db));
      const found = async (id: string) => {
        const { body } = await world.http.get(`/api/v1/admin/kyc/${id}`).auth(token, { type: 'bearer' });
        return (body.data.signals.duplicates as { kind: string; kycId: string }[])
          .map(({ kind, kycId }) => [kind, kycId])
          .sort();
      };
      expect(await found(after.id)).toEqual([
        ['DOCUMENT_NUMBER', before.id],
        ['FILE', before.id],
      ]);
      expect(await found(before.id)).toEqual([
        ['DOCUMENT_NUMBER', after.id],
        ['FILE', after.id],
      ]);
    } finally {
      await world.teardown();
    }
  });
});
