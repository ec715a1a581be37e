import { endpoints } from '../../../../api/endpoints';
import { KycView } from '../../../../api/users/kyc/kyc.view';
import { execute, rows } from '../../../../db/sql/query';
import { sealRequestedMessage } from '../../../../db/kyc/verification/requested-message';
import { personalInfo } from '../../../support/builders/kyc/personal-info';
import { ownWorld } from '../../../support/worlds/world';
import { testKeys } from '../../../support/worlds/variables';
import { applicant, refused } from './applicant';

const world = ownWorld({ worker: false });

test('every POST that answers the verification, which may have the words of a reviewer, stores it sealed', () => {
  const answering = endpoints.filter(({ method, data }) => method === 'post' && data === KycView);
  expect(answering.map(({ path, idempotent }) => [path, idempotent])).toEqual([
    ['/users/kyc', 'sealed'],
    ['/users/kyc/submit', 'sealed'],
  ]);
});

test('the answer to a keyed request has the question of a reviewer: it is stored sealed, and the same is answered again', async () => {
  const me = await applicant(world);
  await me.start();
  const message = 'Ohne Spiegelung, please.';
  await me.put('NEEDS_INFO', {
    requested_message: sealRequestedMessage(testKeys, (await me.view()).id, message),
    requested_documents: ['SELFIE'],
  });
  const keyed = (key: string) =>
    world.http
      .post('/api/v1/users/kyc')
      .auth(me.token, { type: 'bearer' })
      .set('Idempotency-Key', key)
      .send({ personalInfo });
  const first = await keyed('asked');
  expect([first.status, first.body.data.requested]).toEqual([201, { message, documents: ['SELFIE'] }]);
  const again = await keyed('asked');
  expect([again.status, again.text, again.headers['idempotent-replayed']]).toEqual([201, first.text, 'true']);
  const kept = await rows<{ row: string }>(
    world.db,
    'SELECT k::text AS row FROM idempotency_keys k WHERE owner = $1',
    [`user:${me.user.id}`],
  );
  expect(kept.map(({ row }) => row.includes(message))).toEqual([false]);

  // What was stored for one request opens for no other.
  await keyed('another');
  await execute(
    world.db,
    `UPDATE idempotency_keys SET body = (SELECT body FROM idempotency_keys WHERE owner = $1 AND key = 'asked')
      WHERE owner = $1 AND key = 'another'`,
    [`user:${me.user.id}`],
  );
  expect((await keyed('another')).status).toBe(500);
  await me.put('SUBMITTED');
  const refusals = [await keyed('late'), await keyed('late')];
  expect(refusals.map(refused)).toEqual([
    [400, 'NOT_EDITABLE'],
    [400, 'NOT_EDITABLE'],
  ]);
  expect(refusals[1]!.headers['idempotent-replayed']).toBe('true');
});
