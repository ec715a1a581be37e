import { v7 } from 'uuid';
import { execute } from '../../../../db/sql/query';
import { KYC_STATUSES } from '../../../../workflows/kyc/kyc.rules';
import { make } from '../../../support/builders/make';
import { startAdminWorld, type AdminWorld } from '../admin-world';
import { documentIn, eventIn, verificationIn } from '../kyc/cases';

let desk: AdminWorld;
beforeAll(async () => {
  desk = await startAdminWorld({ worker: false });
});
afterAll(() => desk.world.teardown());

const setStatus = (userId: string, status: string, level = 'BASIC') =>
  execute(desk.world.db, 'UPDATE users SET kyc_status = $2, kyc_level = $3 WHERE id = $1', [
    ...[userId, status, level],
  ]);
const shown = async (userId: string) => (await desk.ask('get', `/admin/users/${userId}`)).body.data;

test.each(KYC_STATUSES)(
  'GET /admin/users finds the users whose verification is %s, and no other',
  async (status) => {
    const { db } = desk.world;
    const name = `Kyc${v7()}`.replaceAll(/[^A-Za-z]/g, 'x');
    const wanted = await make.user(db, { firstName: name });
    for (const other of KYC_STATUSES) {
      const user = other === status ? wanted : await make.user(db, { firstName: name });
      await setStatus(user.id, other);
    }
    const { body } = await desk.ask('get', `/admin/users?search=${name}&kycStatus=${status}`);
    expect(body.data.users).toMatchObject([{ id: wanted.id, kyc: { status, level: 'BASIC' } }]);
  },
);

describe('GET /admin/users/:id', () => {
  test('shows the latest verification, its documents, and the end of the approval in force', async () => {
    const { world, admin } = desk;
    const decidedAt = new Date('2026-05-01T10:00:00.000Z');
    const by = { decidedAt, decidedBy: admin.id, submittedAt: new Date('2026-04-30T10:00:00.000Z') };
    const approved = await verificationIn(world, { status: 'APPROVED', ...by });
    const { user } = approved;
    await setStatus(user.id, 'APPROVED', 'STANDARD');
    const documentId = await documentIn(world, approved, { status: 'ACCEPTED', uploadedAt: decidedAt });
    const expiresAt = '2030-01-01T00:00:00.000Z';
    expect((await shown(user.id)).kyc).toEqual({
      ...{ id: approved.id, status: 'APPROVED', level: 'STANDARD' },
      submittedAt: '2026-04-30T10:00:00.000Z',
      ...{ reviewedAt: decidedAt.toISOString(), reviewedBy: admin.id, expiresAt },
      documents: [
        { id: documentId, type: 'PASSPORT', status: 'ACCEPTED', uploadedAt: decidedAt.toISOString() },
      ],
    });
    const higher = await verificationIn(world, { user, requestedLevel: 'ENHANCED' });
    await setStatus(user.id, 'SUBMITTED', 'STANDARD');
    expect((await shown(user.id)).kyc).toMatchObject({
      ...{
        id: higher.id,
        status: 'SUBMITTED',
        level: 'STANDARD',
        reviewedAt: null,
        reviewedBy: null,
        expiresAt,
      },
      documents: [],
    });
  });

  test('is null for a user who never began', async () => {
    const { id } = await make.user(desk.world.db);
    expect((await shown(id)).kyc).toBeNull();
  });

  test('its events are among the activity, with who acted', async () => {
    const { world, admin } = desk;
    const { id, user } = await verificationIn(world);
    await eventIn(world, id, { action: 'SUBMITTED', performedBy: user.id, at: new Date(1_000) });
    await eventIn(world, id, {
      action: 'INFO_REQUESTED',
      performedBy: admin.id,
      note: 'A word.',
      at: new Date(2_000),
    });
    await eventIn(world, id, { action: 'ESCALATED', at: new Date(3_000) });
    // The steps in which the user prepares it crowd nothing out.
    for (const action of ['CHANGED', 'DOCUMENT_UPLOADED', 'DOCUMENT_DELETED'] as const)
      for (let i = 0; i < 8; i++)
        await eventIn(world, id, { action, performedBy: user.id, at: new Date(4_000 + i) });
    const { recentActivity } = await shown(user.id);
    expect(recentActivity).toEqual([
      { ...activity('escalated', 3_000), by: null },
      { ...activity('info requested', 2_000), by: { id: admin.id, email: admin.email } },
      { ...activity('submitted', 1_000), by: { id: user.id, email: user.email } },
    ]);
  });
});

const activity = (what: string, at: number) => ({
  type: 'KYC',
  description: `Identity verification: ${what}`,
  timestamp: new Date(at).toISOString(),
});
