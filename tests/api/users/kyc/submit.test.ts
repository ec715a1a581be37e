import { WorkflowNotFoundError } from '@temporalio/client';
import { execute } from '../../../../db/sql/query';
import { make } from '../../../support/builders/make';
import { signIn } from '../../../support/builders/sign-in';
import { ownWorld } from '../../../support/worlds/world';
import { applicant, refused, type Applicant } from './applicant';

const world = ownWorld();

const submit = (me: Applicant) => me.call('post', '/users/kyc/submit');

/** Somebody who has all documents that STANDARD needs. */
async function someone(): Promise<Applicant> {
  const me = await applicant(world);
  await me.start();
  for (const type of ['PASSPORT', 'SELFIE'] as const) expect((await me.upload(type)).status).toBe(201);
  return me;
}

describe('POST /users/kyc/submit', () => {
  test('200: it is in review, and the account says so', async () => {
    const me = await someone();
    const { status, body } = await submit(me);
    expect({ status, data: body.data }).toMatchObject({
      status: 200,
      data: { status: 'SUBMITTED', level: 'BASIC', submittedAt: expect.any(String), reviewedAt: null },
    });
    expect(body.data).toEqual(await me.view());
    expect((await me.call('get', '/users/me')).body.data.kyc).toEqual({
      status: 'SUBMITTED',
      level: 'BASIC',
    });
    expect(await me.history()).toEqual(['STARTED', 'DOCUMENT_UPLOADED', 'DOCUMENT_UPLOADED', 'SUBMITTED']);
    const process = await world.temporal.workflow.getHandle(`kyc-review:${body.data.id}`).describe();
    expect(process.status.name).toBe('RUNNING');
  });

  test('200: again under the same key, also after more has happened', async () => {
    const me = await someone();
    const keyed = () =>
      world.http
        .post('/api/v1/users/kyc/submit')
        .auth(me.token, { type: 'bearer' })
        .set('Idempotency-Key', 'once');
    const [one, same] = [await keyed(), await keyed()];
    expect([one.status, same.status]).toEqual([200, 200]);
    expect(same.body).toEqual(one.body);
    expect((await me.history()).filter((action) => action === 'SUBMITTED')).toHaveLength(1);
  });

  test('200: after a reviewer asked for more, once it is there', async () => {
    const me = await someone();
    const { id } = (await submit(me)).body.data;
    const token = await signIn(world, await make.admin(world.db));
    const asked = await world.http
      .post(`/api/v1/admin/kyc/${id}/request-info`)
      .auth(token, { type: 'bearer' })
      .send({ message: 'The whole page, please.', documents: ['PASSPORT'] });
    expect(asked.status).toBe(200);
    expect(await me.view()).toMatchObject({
      status: 'NEEDS_INFO',
      requested: { message: 'The whole page, please.', documents: ['PASSPORT'] },
    });
    expect(refused(await submit(me))).toEqual([400, 'DOCUMENTS_MISSING']);
    expect((await me.upload('PASSPORT')).status).toBe(201);
    const { status, body } = await submit(me);
    expect([status, body.data.id, body.data.status]).toEqual([200, id, 'SUBMITTED']);
    expect(body.data.requested).toBeNull();
  });

  test('of several at once one submits', async () => {
    const me = await someone();
    const answers = await Promise.all(Array.from({ length: 5 }, () => submit(me)));
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 400, 400, 400, 400]);
    for (const answer of answers.filter(({ status }) => status === 400))
      expect(refused(answer)).toEqual([400, 'NOT_EDITABLE']);
    expect((await me.history()).filter((action) => action === 'SUBMITTED')).toHaveLength(1);
  });

  test('against the removal of a document, 20 times: it has all of them, or is refused', async () => {
    for (let round = 0; round < 20; round++) {
      const me = await someone();
      const { documents } = await me.view();
      const path = `/users/kyc/documents/${documents[round % 2].id}`;
      // The one or the other has a head start in turns.
      const late = <T>(run: () => Promise<T>, isLate: boolean): Promise<T> =>
        isLate ? new Promise((resolve) => setImmediate(resolve)).then(run) : run();
      const [submitted, removed] = await Promise.all([
        late(() => submit(me), round % 4 > 1),
        late(() => me.call('delete', path), round % 4 < 2),
      ]);
      const after = await me.view();
      if (submitted.status === 200) {
        expect(refused(removed)).toEqual([400, 'NOT_EDITABLE']);
        expect([after.status, after.documents.length]).toEqual(['SUBMITTED', 2]);
      } else {
        expect([...refused(submitted), removed.status]).toEqual([400, 'DOCUMENTS_MISSING', 200]);
        expect([after.status, after.documents.length]).toEqual(['DOCUMENTS_PENDING', 1]);
      }
    }
  });
});

/** No process has begun for the latest verification of somebody. */
async function expectNoProcess(me: Applicant): Promise<void> {
  const handle = world.temporal.workflow.getHandle(`kyc-review:${(await me.view()).id}`);
  await expect(handle.describe()).rejects.toThrow(WorkflowNotFoundError);
}

describe('POST /users/kyc/submit refuses', () => {
  test('400 DOCUMENTS_MISSING before it begins, and after it was decided', async () => {
    const me = await applicant(world);
    expect(refused(await submit(me))).toEqual([400, 'DOCUMENTS_MISSING']);
    await me.start();
    await me.put('APPROVED');
    expect(refused(await submit(me))).toEqual([400, 'DOCUMENTS_MISSING']);
  });

  test('400 NOT_EDITABLE', async () => {
    const me = await someone();
    await submit(me);
    expect(refused(await submit(me))).toEqual([400, 'NOT_EDITABLE']);
  });

  test('400 DOCUMENTS_MISSING with their types: another identity document than the stated one, and rejected ones', async () => {
    const me = await applicant(world);
    await me.start({}, { requestedLevel: 'ENHANCED' });
    await me.upload('NATIONAL_ID');
    const { body } = await me.upload('SELFIE');
    await execute(
      world.db,
      `UPDATE kyc_verification_documents SET status = 'REJECTED' WHERE document_id = $1`,
      [body.data.id],
    );
    const answer = await submit(me);
    expect(refused(answer)).toEqual([400, 'DOCUMENTS_MISSING']);
    expect(answer.body.error.details).toEqual({
      documents: ['PASSPORT', 'SELFIE', 'ADDRESS_PROOF', 'INCOME_PROOF'],
    });
    expect((await me.view()).status).toBe('DOCUMENTS_PENDING');
    await expectNoProcess(me);
  });

  test('400 RESUBMISSION_TOO_SOON within 24 hours after the one that was rejected, and not later', async () => {
    const me = await someone();
    await me.put('REJECTED', { submitted_at: new Date(Date.now() - 23 * 3_600_000) });
    await me.start();
    expect(refused(await submit(me))).toEqual([400, 'RESUBMISSION_TOO_SOON']);
    await expectNoProcess(me);
    await execute(
      world.db,
      `UPDATE kyc_verifications SET submitted_at = now() - interval '24 hours 1 second'
        WHERE user_id = $1 AND status = 'REJECTED'`,
      [me.user.id],
    );
    expect((await submit(me)).status).toBe(200);
  });

  test('400 KYC_UNREADABLE where a key is lost; stated anew it can be submitted', async () => {
    const me = await someone();
    await execute(world.db, 'UPDATE kyc_verifications SET personal_info = $2 WHERE user_id = $1', [
      ...[me.user.id, Buffer.from('under a lost key')],
    ]);
    expect(refused(await submit(me))).toEqual([400, 'VALIDATION_ERROR', 'KYC_UNREADABLE']);
    await expectNoProcess(me);
    await me.start();
    expect((await submit(me)).status).toBe(200);
  });

  test('400 MAX_ATTEMPTS where what is missing cannot be uploaded any more', async () => {
    const me = await applicant(world);
    await me.start();
    await me.upload('SELFIE');
    await execute(
      world.db,
      `INSERT INTO kyc_document_tries (user_id, type, tries, uploads) VALUES ($1, 'PASSPORT', 3, 0)`,
      [me.user.id],
    );
    const answer = await submit(me);
    expect(refused(answer)).toEqual([400, 'MAX_ATTEMPTS']);
    expect(answer.body.error.details).toEqual({ documents: ['PASSPORT'] });
  });
});
