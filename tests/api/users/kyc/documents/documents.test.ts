import { v7 } from 'uuid';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { heldDocuments } from '../../../../../db/kyc/document/held-document.reads';
import { execute, rows } from '../../../../../db/sql/query';
import { onePage } from '../../../../support/fakes/pdf-files';
import { ownWorld } from '../../../../support/worlds/world';
import { blobFiles } from '../../portrait';
import { picture } from '../../pictures';
import { applicant, refused, type Applicant } from '../applicant';

const lines: string[] = [];
const world = ownWorld({ worker: false, lines });

/** Somebody with a document. */
async function someone(): Promise<Applicant & { id: string; path: string }> {
  const me = await applicant(world);
  await me.start();
  const { body } = await me.upload('DRIVERS_LICENCE');
  return { ...me, id: body.data.id, path: `/users/kyc/documents/${body.data.id}` };
}

/** The documents of somebody as a submission leaves them. */
const submitDocuments = (me: Applicant) =>
  execute(
    world.db,
    `UPDATE kyc_verification_documents l SET submitted_at = now() FROM kyc_documents d
      WHERE d.id = l.document_id AND d.user_id = $1`,
    [me.user.id],
  );

describe.each(['get', 'delete'] as const)('%s /users/kyc/documents/:id refuses', (method) => {
  test('404 DOCUMENT_NOT_FOUND: an unknown id, and another user’s', async () => {
    const [me, other] = [await someone(), await someone()];
    expect(refused(await me.call(method, `/users/kyc/documents/${v7()}`))).toEqual([
      404,
      'DOCUMENT_NOT_FOUND',
    ]);
    expect(refused(await me.call(method, other.path))).toEqual([404, 'DOCUMENT_NOT_FOUND']);
    expect(await other.held()).toHaveLength(1);
  });

  test('400 VALIDATION_ERROR: no UUID', async () => {
    const { call } = await someone();
    expect(refused(await call(method, '/users/kyc/documents/1'))).toEqual([400, 'VALIDATION_ERROR']);
  });
});

describe('GET /users/kyc/documents/:id', () => {
  test('200: exactly the bytes that were uploaded, to be saved under their name', async () => {
    const me = await applicant(world);
    await me.start();
    const camera = await picture('jpeg', { exif: true });
    const { body } = await me.upload('SELFIE', camera, {}, { name: 'C:\\photos\\Ich am Müggelsee.JPG' });
    const file = await me.call('get', `/users/kyc/documents/${body.data.id}`);
    expect(file.body.equals(camera)).toBe(true);
    expect(file.headers).toMatchObject({
      'content-type': 'image/jpeg',
      'content-disposition':
        'attachment; filename="Ich am M?ggelsee.JPG"; filename*=UTF-8\'\'Ich%20am%20M%C3%BCggelsee.JPG',
      'content-security-policy': "sandbox; default-src 'none'",
      'cache-control': expect.stringContaining('no-store'),
    });
  });

  test('a PDF too, with the ending of what it is', async () => {
    const me = await applicant(world);
    await me.start();
    const pdf = onePage();
    const { body } = await me.upload('ADDRESS_PROOF', pdf, {}, { name: 'letter.html' });
    const path = `/users/kyc/documents/${body.data.id}`;
    const file = await me.call('get', path);
    expect([file.body.equals(pdf), file.headers['content-disposition']]).toEqual([
      true,
      'attachment; filename=letter.html.pdf',
    ]);
  });
});

test('GET /users/kyc/documents/:id: altered bytes are never sent: 500, and a security event', async () => {
  const me = await someone();
  const found = await rows<{ originalBlob: string }>(
    world.db,
    'SELECT original_blob FROM kyc_documents WHERE id = $1',
    [me.id],
  );
  const { originalBlob } = found[0]!;
  const place = join(world.blobDir, originalBlob.slice(0, 2), originalBlob);
  const sealed = await readFile(place);
  sealed[sealed.length - 1]! ^= 1;
  await writeFile(place, sealed);
  lines.length = 0;
  expect(refused(await me.call('get', me.path))).toEqual([500, 'INTERNAL_ERROR']);
  const events = lines.filter((line) => line.includes('kyc-unreadable'));
  expect(events).toEqual([expect.stringContaining('"method":"original"')]);
});

describe('DELETE /users/kyc/documents/:id', () => {
  test.each(['DOCUMENTS_PENDING', 'NEEDS_INFO'])(
    '200: the document and its files are gone, while %s',
    async (status) => {
      const me = await someone();
      if (status !== 'DOCUMENTS_PENDING') await me.put(status);
      const before = await blobFiles(world);
      const answer = await me.call('delete', me.path);
      expect({ status: answer.status, data: answer.body.data }).toEqual({
        status: 200,
        data: { message: 'The document is removed.', documentId: me.id },
      });
      expect((await me.view()).documents).toEqual([]);
      expect(await me.held()).toEqual([]);
      expect(await blobFiles(world)).toBe(before - 3);
      expect(await rows(world.db, 'SELECT name FROM discarded_blobs')).toEqual([]);
      expect(await me.history()).toEqual(['STARTED', 'DOCUMENT_UPLOADED', 'DOCUMENT_DELETED']);
      expect(refused(await me.call('delete', me.path))).toEqual([404, 'DOCUMENT_NOT_FOUND']);
    },
  );

  test('200: a file that no submission had can be replaced as often as wanted', async () => {
    const me = await someone();
    for (let i = 0; i < 5; i++) {
      const { body } = await me.upload('SELFIE');
      expect((await me.call('delete', `/users/kyc/documents/${body.data.id}`)).status).toBe(200);
    }
    await me.upload('SELFIE');
    const { uploads } = (
      await rows<{ uploads: number }>(
        world.db,
        `SELECT uploads FROM kyc_document_tries WHERE user_id = $1 AND type = 'SELFIE'`,
        [me.user.id],
      )
    )[0]!;
    expect(uploads).toBe(1);
  });

  test('200: one that a submission had is evidence: it stays counted, and reviewers keep row, file and code', async () => {
    const me = await someone();
    await me.put('NEEDS_INFO');
    await submitDocuments(me);
    const before = await blobFiles(world);
    await execute(world.db, 'UPDATE kyc_document_tries SET tries = 1, uploads = 0 WHERE user_id = $1', [
      me.user.id,
    ]);
    await me.call('delete', me.path);
    expect(
      await rows(world.db, 'SELECT tries, uploads FROM kyc_document_tries WHERE user_id = $1', [me.user.id]),
    ).toEqual([{ tries: 1, uploads: 0 }]);
    expect((await me.view()).documents).toEqual([]);
    expect(refused(await me.call('get', me.path))).toEqual([404, 'DOCUMENT_NOT_FOUND']);
    expect(refused(await me.call('delete', me.path))).toEqual([404, 'DOCUMENT_NOT_FOUND']);
    expect(await blobFiles(world)).toBe(before);
    const [held] = await heldDocuments(world.db, (await me.view()).id);
    expect(held).toMatchObject({
      id: me.id,
      removedAt: expect.any(Date),
      contentMac: expect.stringMatching(/./),
    });
    await me.put('REJECTED');
    expect((await me.start()).body.data.documents).toEqual([]);
  });

  test('200: one that an earlier verification has keeps its row and files there', async () => {
    const me = await someone();
    await me.put('REJECTED');
    await submitDocuments(me);
    await me.start();
    expect((await me.view()).documents).toHaveLength(1);
    const before = await blobFiles(world);
    expect((await me.call('delete', me.path)).status).toBe(200);
    expect((await me.view()).documents).toEqual([]);
    expect(await me.held()).toHaveLength(1);
    expect(await blobFiles(world)).toBe(before);
    // It is part of what was decided, and no longer of what can be changed.
    expect(refused(await me.call('delete', me.path))).toEqual([404, 'DOCUMENT_NOT_FOUND']);
    expect((await me.call('get', me.path)).status).toBe(200);
  });

  test('400 NOT_EDITABLE in review and after it was decided: nothing changes', async () => {
    const me = await someone();
    await me.put('SUBMITTED');
    expect(refused(await me.call('delete', me.path))).toEqual([400, 'NOT_EDITABLE']);
    await me.put('APPROVED');
    expect(refused(await me.call('delete', me.path))).toEqual([400, 'NOT_EDITABLE']);
    expect(await me.held()).toHaveLength(1);
  });

  test('of several at once one removes it', async () => {
    const me = await someone();
    const answers = await Promise.all(Array.from({ length: 5 }, () => me.call('delete', me.path)));
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 404, 404, 404, 404]);
  });
});
