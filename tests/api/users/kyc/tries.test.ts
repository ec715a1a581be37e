import { rows } from '../../../../db/sql/query';
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

test('what a reviewer asks for can be uploaded, also when all tries are used up, and once for each request', async () => {
  const { me, review } = await someone();
  await review.submit();
  for (const tries of [1, 2, 3, 3, 3]) {
    expect(await triesOf(me)).toEqual([
      { type: 'PASSPORT', tries, uploads: 0 },
      { type: 'SELFIE', tries: 1, uploads: 0 },
    ]);
    await review.requestInfo({ documents: ['PASSPORT'] });
    await uploads(me, 'PASSPORT');
    await review.submit();
  }
  await review.requestInfo({ documents: ['SELFIE'] });
  expect(refused(await me.upload('PASSPORT'))).toEqual([400, 'MAX_ATTEMPTS']);
  await uploads(me, 'SELFIE', 'SELFIE', 'SELFIE');
  expect(refused(await me.upload('SELFIE'))).toEqual([400, 'MAX_ATTEMPTS']);
});

test('after an approval all tries are there again', async () => {
  const { me, review } = await someone();
  for (const _ of [1, 2]) {
    await review.submit();
    await review.requestInfo({ documents: ['PASSPORT', 'SELFIE'] });
    await uploads(me, 'PASSPORT', 'SELFIE');
  }
  await review.submit();
  expect(await triesOf(me)).toMatchObject([{ tries: 3 }, { tries: 3 }]);
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
  await review.advance({ at: new Date(Date.now() + 8 * DAY_MS) });
  await review.advance({ at: new Date(Date.now() + 31 * DAY_MS) });
  const { documents, status } = (await me.start()).body.data;
  expect([status, documents.length]).toEqual(['DOCUMENTS_PENDING', 4]);
  expect(await triesOf(me)).toMatchObject([{ tries: 1 }, { tries: 1, uploads: 0 }]);
  await uploads(me, 'SELFIE');
});
