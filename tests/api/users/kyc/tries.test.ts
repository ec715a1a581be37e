import { execute, rows } from '../../../../db/sql/query';
import { make } from '../../../support/builders/make';
import { ownWorld } from '../../../support/worlds/world';
import { reviewing } from '../../../activities/kyc/review/reviewing';
import { applicant, refused, type Applicant } from './applicant';

let reviewerId: string;
const world = ownWorld({ worker: false });
beforeAll(async () => {
  reviewerId = (await make.admin(world.db)).id;
});

const DAY_MS = 86_400_000;

/** Somebody with all documents of STANDARD, and the steps of their review, without its process. */
async function someone() {
  const me = await applicant(world);
  const kycId: string = (await me.start()).body.data.id;
  await uploads(me, 'PASSPORT', 'SELFIE');
  return { me, review: reviewOf(me, kycId) };
}
const reviewOf = (me: Applicant, kycId: string) =>
  reviewing(world.db, { kycId, userId: me.user.id }, reviewerId);

async function uploads(me: Applicant, ...types: string[]): Promise<void> {
  for (const type of types) expect((await me.upload(type)).status).toBe(201);
}
const triesOf = ({ user }: Applicant) =>
  rows<{ type: string; tries: number; uploads: number }>(
    world.db,
    'SELECT type, tries, uploads FROM kyc_document_tries WHERE user_id = $1 ORDER BY type',
    [user.id],
  );

/** Rejects all that somebody submits, so many times; each time a day passes. */
async function rejected(me: Applicant, times: number): Promise<void> {
  for (let time = 0; time < times; time++) {
    const review = reviewOf(me, (await me.start()).body.data.id);
    await review.submit();
    await review.reject();
    await execute(
      world.db,
      `UPDATE kyc_verifications SET submitted_at = submitted_at - interval '25 hours' WHERE user_id = $1`,
      [me.user.id],
    );
  }
}

test('after three rejections nothing can be uploaded or submitted, until an administrator allows it', async () => {
  const { me } = await someone();
  await rejected(me, 2);
  const kycId: string = (await me.start()).body.data.id;
  await uploads(me, 'SELFIE');
  await reviewOf(me, kycId).submit();
  await reviewOf(me, kycId).reject();
  await execute(
    world.db,
    `UPDATE kyc_verifications SET submitted_at = submitted_at - interval '25 hours' WHERE id = $1`,
    [kycId],
  );
  expect(await triesOf(me)).toMatchObject([
    { type: 'PASSPORT', tries: 3 },
    { type: 'SELFIE', tries: 3 },
  ]);
  await me.start();
  expect(refused(await me.upload('PASSPORT'))).toEqual([400, 'MAX_ATTEMPTS']);
  expect(refused(await me.call('post', '/users/kyc/submit'))).toEqual([400, 'MAX_ATTEMPTS']);
});

test('what a reviewer asks for can be uploaded, also when all tries are used up', async () => {
  const { me, review } = await someone();
  await review.submit();
  await execute(world.db, 'UPDATE kyc_document_tries SET tries = 3 WHERE user_id = $1', [me.user.id]);
  await review.requestInfo({ documents: ['SELFIE'] });
  expect(refused(await me.upload('PASSPORT'))).toEqual([400, 'MAX_ATTEMPTS']);
  await uploads(me, 'SELFIE', 'SELFIE', 'SELFIE');
  expect(refused(await me.upload('SELFIE'))).toEqual([400, 'MAX_ATTEMPTS']);
});

test('after an approval all tries are there again', async () => {
  const { me } = await someone();
  await rejected(me, 2);
  const review = reviewOf(me, (await me.start()).body.data.id);
  await review.submit();
  expect(await triesOf(me)).toMatchObject([{ tries: 2 }, { tries: 2 }]);
  await review.approve();
  expect(await triesOf(me)).toEqual([]);
  await me.start({}, { requestedLevel: 'ENHANCED' });
  await uploads(me, 'PASSPORT', 'SELFIE');
});

test('files of a request that nobody answered do not count in the next verification', async () => {
  const { me, review } = await someone();
  await review.submit();
  await review.requestInfo({ documents: ['SELFIE'] });
  await uploads(me, 'SELFIE', 'SELFIE', 'SELFIE');
  await review.advance({ at: new Date(Date.now() + 31 * DAY_MS) });
  const { documents, status } = (await me.start()).body.data;
  expect([status, documents.length]).toEqual(['DOCUMENTS_PENDING', 4]);
  expect(await triesOf(me)).toMatchObject([{ tries: 0 }, { tries: 0, uploads: 0 }]);
  await uploads(me, 'SELFIE');
});
