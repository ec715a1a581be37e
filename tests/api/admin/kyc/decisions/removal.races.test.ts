import { heldDocuments } from '../../../../../db/kyc/document/held-document.reads';
import { firstRow } from '../../../../../db/sql/query';
import { make } from '../../../../support/builders/make';
import { signIn } from '../../../../support/builders/sign-in';
import { violations } from '../../../../support/checks/violations';
import { outcomeOf, startAdminWorld, type AdminWorld } from '../../admin-world';
import { submittedCase } from '../cases';

let desk: AdminWorld;
let second: string;
beforeAll(async () => {
  desk = await startAdminWorld({ queues: ['interactive'] });
  second = await signIn(desk.world, await make.admin(desk.world.db));
});
afterAll(() => desk.world.teardown());

const decide = (id: string, verb: string, body: object, token?: string) =>
  desk.ask('post', `/admin/kyc/${id}/${verb}`, body, token);

test.each([
  ['a rejection', 'reject', { reason: 'DOCUMENT_BLURRY' }, 'REJECTED'],
  ['a request for more', 'request-info', { message: 'Please show all of it.' }, 'NEEDS_INFO'],
] as const)(
  'an approval, %s and the removal of a document by its user at once, 20 times: one decision, on what was submitted',
  async (_, verb, body, other) => {
    for (let round = 0; round < 20; round++) {
      const { id, user, documents } = await submittedCase(desk.world);
      const token = await signIn(desk.world, user);
      const racing = {
        approve: () => decide(id, 'approve', { level: 'STANDARD' }),
        other: () => decide(id, verb, body, second),
        remove: () => desk.ask('delete', `/users/kyc/documents/${documents.SELFIE!}`, undefined, token),
      };
      const names = (['approve', 'other', 'remove'] as const).map((__, at, all) => all[(at + round) % 3]!);
      const answers = await Promise.all(names.map(async (name) => [name, outcomeOf(await racing[name]())]));
      const { approve, other: decided, remove } = Object.fromEntries(answers) as Record<string, string>;
      expect([approve, decided].sort()).toEqual(['200', '400 NOT_REVIEWABLE']);
      const row = await firstRow<{ status: string; kycLevel: string }>(
        desk.world.db,
        `SELECT v.status, u.kyc_level FROM kyc_verifications v JOIN users u ON u.id = v.user_id WHERE v.id = $1`,
        [id],
      );
      const isApproved = approve === '200';
      expect(row).toEqual({
        status: isApproved ? 'APPROVED' : other,
        kycLevel: isApproved ? 'STANDARD' : 'BASIC',
      });
      // Reviewers keep what was submitted; only one who is asked for more can take it out of what counts.
      const held = await heldDocuments(desk.world.db, id);
      expect(held).toHaveLength(2);
      const removed = held.filter(({ removedAt }) => removedAt !== null).map(({ type }) => type);
      expect(removed).toEqual(remove === '200' ? ['SELFIE'] : []);
      if (remove !== '200') expect(remove).toBe('400 NOT_EDITABLE');
      else expect(row!.status).toBe('NEEDS_INFO');
      if (isApproved) expect(held.map(({ status }) => status)).toEqual(['ACCEPTED', 'ACCEPTED']);
    }
    const broken = await violations(desk.world.db);
    expect(broken.filter((one) => one.includes('kyc.approved-documents-are-decided'))).toEqual([]);
  },
);
