import { expireVerification } from '../../../../activities/kyc/expiry/expire-verification';
import { forgetVerifications } from '../../../../activities/kyc/retention/forget-verifications';
import { diskBlobs } from '../../../../db/blobs/disk';
import { brokenInvariants } from '../../../../db/invariants/broken.reads';
import { policyFrom } from '../../../../db/policy/config';
import { reviewing } from '../../../activities/kyc/review/reviewing';
import { make } from '../../../support/builders/make';
import { signIn } from '../../../support/builders/sign-in';
import { mailsTo } from '../../../support/checks/mail';
import { ownWorld } from '../../../support/worlds/world';
import { applicant, type Applicant } from './applicant';

let reviewer: { id: string; token: string };
const world = ownWorld({ worker: false });
beforeAll(async () => {
  const admin = await make.admin(world.db);
  reviewer = { id: admin.id, token: await signIn(world, admin) };
});
afterEach(async () => {
  expect(await brokenInvariants(world.db)).toEqual([]);
});

const inDays = (days: number) => new Date(Date.now() + days * 86_400_000);
const reviewOf = (me: Applicant, kycId: string) =>
  reviewing(world.db, { kycId, userId: me.user.id }, reviewer.id);

/** Somebody verified for STANDARD. */
async function verified() {
  const me = await applicant(world);
  const kycId: string = (await me.start()).body.data.id;
  for (const type of ['PASSPORT', 'SELFIE']) expect((await me.upload(type)).status).toBe(201);
  await reviewOf(me, kycId).submit();
  await reviewOf(me, kycId).approve();
  return { me, kycId, approval: await me.view() };
}

/** Begins a verification for ENHANCED, which the user of an approval never finishes; answers its id. */
async function begins(me: Applicant): Promise<string> {
  const kycId: string = (await me.start({}, { requestedLevel: 'ENHANCED' })).body.data.id;
  for (const type of ['ADDRESS_PROOF', 'INCOME_PROOF']) expect((await me.upload(type)).status).toBe(201);
  return kycId;
}

/** The ways in which an upgrade comes to nothing. */
const ways: readonly [string, (me: Applicant) => Promise<void>][] = [
  [
    'that its user left unfinished',
    async (me) => {
      await begins(me);
      const deps = { db: world.db, blobs: diskBlobs(world.blobDir), policy: policyFrom({}) };
      expect(await forgetVerifications(deps, inDays(100))).toBeGreaterThan(0);
    },
  ],
];

describe.each(ways)('after an upgrade %s', (_way, comesToNothing) => {
  test('the approval still stands: for its user, the administrators and their lists', async () => {
    const { me, kycId, approval } = await verified();
    expect(approval).toMatchObject({ id: kycId, status: 'APPROVED', documents: [{}, {}] });
    await comesToNothing(me);
    expect(await me.view()).toEqual(approval);
    expect((await me.call('get', '/users/me')).body.data.kyc).toEqual({
      status: 'APPROVED',
      level: 'STANDARD',
    });
    const admin = (path: string) =>
      world.http.get(`/api/v1/admin${path}`).auth(reviewer.token, { type: 'bearer' });
    const shown = (await admin(`/users/${me.user.id}`)).body.data.kyc;
    expect(shown).toMatchObject({
      ...{ id: kycId, status: 'APPROVED', level: 'STANDARD', reviewedBy: reviewer.id },
      reviewedAt: approval.reviewedAt,
      documents: [{ status: 'ACCEPTED' }, { status: 'ACCEPTED' }],
    });
    const search = encodeURIComponent(me.user.email);
    const found = await admin(`/users?kycStatus=APPROVED&search=${search}`);
    expect(found.body.data.users).toMatchObject([{ id: me.user.id }]);
    expect((await me.start({}, { requestedLevel: 'ENHANCED' })).status).toBe(201);
  });

  test('the end of the approval is the end of what they have', async () => {
    const { me, kycId } = await verified();
    await comesToNothing(me);
    expect(await expireVerification(world.db, { kycId, userId: me.user.id }, inDays(1_000))).toBe(true);
    expect(await me.view()).toMatchObject({
      id: null,
      status: 'NOT_STARTED',
      level: 'BASIC',
      expiresAt: null,
    });
  });
});

test('an upgrade that its user did not answer is rejected; the level stays, and they can submit again at once', async () => {
  const { me, approval } = await verified();
  const review = reviewOf(me, await begins(me));
  await review.submit();
  await review.requestInfo({ documents: ['INCOME_PROOF'] });
  await review.advance({ at: inDays(31) });
  expect(await me.view()).toMatchObject({
    ...{ status: 'REJECTED', level: 'STANDARD', requested: null, expiresAt: approval.expiresAt },
    rejection: { reason: 'INFO_NOT_PROVIDED', documents: [] },
    ...{ canResubmit: true, nextSubmissionAt: null },
  });
  const mails = await mailsTo(world.db, me.user.email);
  expect(mails.find(({ subject }) => subject.endsWith('has ended'))?.text).toContain(
    'Your account keeps level STANDARD.',
  );
  const kycId: string = (await me.start({}, { requestedLevel: 'ENHANCED' })).body.data.id;
  for (const type of ['ADDRESS_PROOF', 'INCOME_PROOF']) expect((await me.upload(type)).status).toBe(201);
  expect(await reviewOf(me, kycId).submit()).toMatchObject({ status: 'SUBMITTED' });
});
