import { setTimeout as sleep } from 'node:timers/promises';
import { rows } from '../../../../db/sql/query';
import { endlessPdf, onePage } from '../../../support/fakes/pdf-files';
import { ownWorld } from '../../../support/worlds/world';
import { applicant, refused, type Applicant } from '../../users/kyc/applicant';
import { picture } from '../../users/pictures';

const world = ownWorld({ worker: false });

async function someone(): Promise<Applicant> {
  const me = await applicant(world);
  expect((await me.start()).status).toBe(201);
  return me;
}

const counted = ({ user }: Applicant) =>
  rows(world.db, 'SELECT type, tries, uploads FROM kyc_document_tries WHERE user_id = $1', [user.id]);

test('while a PDF without end is read pictures pass, and another file of its sender gets no place', async () => {
  const [me, other] = [await someone(), await someone()];
  const state = { answered: false };
  const hostile = me.upload('PASSPORT', endlessPdf()).finally(() => (state.answered = true));
  await sleep(500);
  const second = await me.upload('SELFIE');
  expect([refused(second), Number(second.headers['retry-after'])]).toEqual([[429, 'RATE_LIMIT_EXCEEDED'], 2]);
  const avatar = await world.http
    .post('/api/v1/users/me/avatar')
    .auth(other.token, { type: 'bearer' })
    .attach('file', await picture('png'), 'me.png');
  expect(avatar.status).toBe(200);
  expect(state.answered).toBe(false);
  const waiting = await other.upload('PASSPORT');
  expect(waiting.status).toBe(201);
  expect(refused(await hostile)).toEqual([400, 'INVALID_FILE_TYPE']);
  expect(await counted(me)).toEqual([{ type: 'PASSPORT', tries: 0, uploads: 1 }]);
  expect((await me.upload('SELFIE')).status).toBe(201);
});

test('three of them use a try up, and other files that are refused nothing', async () => {
  const me = await someone();
  const scripted = onePage({ catalog: '/OpenAction << /S /JavaScript /JS (1) >>' });
  expect(refused(await me.upload('PASSPORT', scripted))).toEqual([400, 'INVALID_FILE_TYPE']);
  expect(await counted(me)).toEqual([]);
  for (let i = 0; i < 3; i++)
    expect(refused(await me.upload('PASSPORT', endlessPdf()))).toEqual([400, 'INVALID_FILE_TYPE']);
  expect(refused(await me.upload('PASSPORT'))).toEqual([400, 'MAX_ATTEMPTS']);
  expect(await me.held()).toEqual([]);
});

test('nothing is counted for a review that begins meanwhile', async () => {
  const me = await someone();
  const hostile = me.upload('PASSPORT', endlessPdf());
  await sleep(500);
  await me.put('SUBMITTED');
  expect(refused(await hostile)).toEqual([400, 'INVALID_FILE_TYPE']);
  expect(await counted(me)).toEqual([]);
});
