import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import sharp from 'sharp';
import { v7 } from 'uuid';
import { openDocument } from '../../../../db/kyc/document/document-file';
import { execute, firstRow, rows } from '../../../../db/sql/query';
import { testKeys } from '../../../support/worlds/variables';
import { anotherProcess } from '../../another-process';
import { ownWorld } from '../../../support/worlds/world';
import { applicant, refused, type Applicant } from '../../users/kyc/applicant';
import { bomb, picture } from '../../users/pictures';
import { blobFiles } from '../../users/portrait';
import { diskBlobs } from '../../../../db/blobs/disk';

const world = ownWorld({ worker: false });

/** Somebody whose verification has begun. */
async function someone(): Promise<Applicant> {
  const me = await applicant(world);
  expect((await me.start()).status).toBe(201);
  return me;
}

const discarded = () => rows(world.db, 'SELECT name FROM discarded_blobs');

describe('POST /kyc/documents', () => {
  test('201: a picture is drawn anew, sealed and held by the verification', async () => {
    const me = await someone();
    const original = await picture('jpeg', { exif: true });
    const { status, body } = await me.upload('PASSPORT', original);
    expect({ status, data: body.data }).toEqual({
      status: 201,
      data: {
        ...{ id: expect.any(String), type: 'PASSPORT', status: 'UPLOADED', reason: null },
        uploadedAt: expect.any(String),
      },
    });
    expect((await me.view()).documents).toEqual([body.data]);
    expect(await me.history()).toEqual(['STARTED', 'DOCUMENT_UPLOADED']);

    const row = await firstRow<Parameters<typeof openDocument>[1] & { bytes: number; contentMac: string }>(
      world.db,
      'SELECT * FROM kyc_documents WHERE id = $1',
      [body.data.id],
    );
    const store = { blobs: diskBlobs(world.blobDir), keys: testKeys };
    const [file, thumbnail] = [
      await openDocument(store, row!, 'file'),
      await openDocument(store, row!, 'thumbnail'),
    ];
    expect(await sharp(file!).metadata()).toMatchObject({ format: 'jpeg', width: 640, height: 480 });
    expect((await sharp(file!).metadata()).exif).toBeUndefined();
    expect(await sharp(thumbnail!).metadata()).toMatchObject({ format: 'webp', width: 400 });
    expect(row!.bytes).toBe(original.length);
    for (const name of [row!.fileBlob, row!.thumbnailBlob!]) {
      const stored = readFileSync(join(world.blobDir, name.slice(0, 2), name));
      await expect(sharp(stored).metadata()).rejects.toThrow();
    }
    expect(await discarded()).toEqual([]);
  });

  test('201: the same file has the same code under another account, and another file another one', async () => {
    const [me, other] = [await someone(), await someone()];
    const file = await picture('png');
    await me.upload('PASSPORT', file);
    await other.upload('NATIONAL_ID', file);
    await other.upload('SELFIE', await picture('png', { width: 641 }));
    const found = await rows<{ contentMac: string }>(
      world.db,
      'SELECT content_mac FROM kyc_documents WHERE user_id = ANY ($1::uuid[]) ORDER BY uploaded_at',
      [[me.user.id, other.user.id]],
    );
    const [one, same, another] = found.map(({ contentMac }) => contentMac);
    expect(same).toBe(one);
    expect(another).not.toBe(one);
  });

  test('201: while a reviewer waits for more', async () => {
    const me = await someone();
    await me.put('NEEDS_INFO');
    expect((await me.upload('SELFIE')).status).toBe(201);
  });

  test('of ten at once one is prepared, the others are to be sent again, and of them nothing is left', async () => {
    const me = await someone();
    const before = await blobFiles(world);
    const answers = await Promise.all(Array.from({ length: 10 }, () => me.upload('SELFIE')));
    const stored = answers.filter(({ status }) => status === 201).length;
    const again = answers.filter(({ status }) => status === 429);
    expect(stored).toBeGreaterThanOrEqual(1);
    expect(stored).toBeLessThanOrEqual(3);
    expect(again.length).toBeGreaterThan(0);
    for (const { headers } of again) expect(Number(headers['retry-after'])).toBeGreaterThan(0);
    expect(await me.held()).toHaveLength(stored);
    expect(await blobFiles(world)).toBe(before + 3 * stored);
    expect(await discarded()).toEqual([]);
  });

  test('of two in two processes of the API the last free one is stored once', async () => {
    const me = await someone();
    const other = anotherProcess(world);
    try {
      for (let i = 0; i < 2; i++) expect((await me.upload('SELFIE')).status).toBe(201);
      const [here, there] = await Promise.all([
        me.upload('SELFIE'),
        me.upload('SELFIE', undefined, {}, { http: other.http }),
      ]);
      expect([here, there].filter(({ status }) => status === 201)).toHaveLength(1);
      expect([here, there].filter(({ body }) => body.error?.code === 'MAX_ATTEMPTS')).toHaveLength(1);
      expect(await me.held()).toHaveLength(3);
      expect(await discarded()).toEqual([]);
    } finally {
      await other.close();
    }
  });

  test('a failure between the files and the row leaves no row, and files that retention removes', async () => {
    const me = await someone();
    await execute(
      world.owner,
      'ALTER TABLE kyc_documents ADD CONSTRAINT kyc_documents_none CHECK (false) NOT VALID',
    );
    try {
      expect((await me.upload('PASSPORT')).status).toBe(500);
    } finally {
      await execute(world.owner, 'ALTER TABLE kyc_documents DROP CONSTRAINT kyc_documents_none');
    }
    expect(await me.held()).toEqual([]);
    expect((await me.view()).documents).toEqual([]);
    const left = await rows<{ name: string }>(world.db, 'DELETE FROM discarded_blobs RETURNING name');
    expect(left).toHaveLength(3);
    for (const { name } of left) expect(existsSync(join(world.blobDir, name.slice(0, 2), name))).toBe(true);
    // Nothing was counted.
    for (let i = 0; i < 3; i++) expect((await me.upload('PASSPORT')).status).toBe(201);
  });

  test('201: under a key it is stored once, also of two at once; another file under that key is refused', async () => {
    const me = await someone();
    const key = v7();
    const http = { post: (path: string) => world.http.post(path).set('Idempotency-Key', key) };
    const [file, other] = [await picture('jpeg'), await picture('png')];
    const first = await me.upload('PASSPORT', file, {}, { http });
    expect(first.status).toBe(201);
    const again = await me.upload('PASSPORT', file, {}, { http });
    expect([again.status, again.body, again.headers['idempotent-replayed']]).toEqual([
      201,
      first.body,
      'true',
    ]);
    for (const answer of [
      await me.upload('PASSPORT', other, {}, { http }),
      await me.upload('SELFIE', file, {}, { http }),
      await me.upload('PASSPORT', file, {}, { http, name: 'another.jpg' }),
    ])
      expect(refused(answer)).toEqual([422, 'IDEMPOTENCY_KEY_REUSED']);
    expect(await me.held()).toHaveLength(1);

    const next = v7();
    const twin = { post: (path: string) => world.http.post(path).set('Idempotency-Key', next) };
    const answers = await Promise.all([
      me.upload('SELFIE', file, {}, { http: twin }),
      me.upload('SELFIE', file, {}, { http: twin }),
    ]);
    const codes = answers.map(({ status, body }) => body.error?.code ?? status);
    expect(
      codes.every((code) => [201, 'IDEMPOTENCY_IN_PROGRESS', 'SERVICE_UNAVAILABLE'].includes(code)),
    ).toBe(true);
    expect((await me.held()).filter(({ type }) => type === 'SELFIE').length).toBeLessThanOrEqual(1);
    expect((await me.upload('SELFIE', file, {}, { http: twin })).status).toBe(201);
    expect((await me.held()).filter(({ type }) => type === 'SELFIE')).toHaveLength(1);
  });

  test('fields that it does not have change nothing, and are named', async () => {
    const [me, other] = [await someone(), await someone()];
    const { status, body } = await me.upload('SELFIE', undefined, {
      status: 'ACCEPTED',
      userId: other.user.id,
    });
    expect([status, body.data.status]).toEqual([201, 'UPLOADED']);
    expect([...body.meta.ignored].sort()).toEqual(['status', 'userId']);
    expect(await other.held()).toEqual([]);
  });
});

describe('POST /kyc/documents refuses', () => {
  test('400 VALIDATION_ERROR: an unknown type, and no file', async () => {
    const me = await someone();
    expect(refused(await me.upload('VISA'))).toEqual([400, 'VALIDATION_ERROR']);
    const { token } = me;
    const without = world.http
      .post('/api/v1/kyc/documents')
      .auth(token, { type: 'bearer' })
      .field('type', 'SELFIE');
    expect(refused(await without)).toEqual([400, 'VALIDATION_ERROR']);
  });

  test.each<[string, () => Promise<Buffer> | Buffer]>([
    ['a text', () => Buffer.from('passport')],
    ['nothing', () => Buffer.alloc(0)],
    ['a GIF', () => picture('gif')],
    ['a page', () => Buffer.from('<html><script>alert(1)</script></html>')],
    ['half a picture', async () => (await picture('png')).subarray(0, 300)],
    ['a bomb', bomb],
  ])('400 INVALID_FILE_TYPE: %s', async (_what, make) => {
    const me = await someone();
    const before = await blobFiles(world);
    expect(refused(await me.upload('PASSPORT', await make()))).toEqual([400, 'INVALID_FILE_TYPE']);
    expect(await me.held()).toEqual([]);
    expect(await blobFiles(world)).toBe(before);
  });

  test('413 FILE_TOO_LARGE: a byte more than 10 MB', async () => {
    const me = await someone();
    const large = Buffer.concat([await picture('jpeg'), Buffer.alloc(10 * 1024 * 1024)]);
    expect(refused(await me.upload('PASSPORT', large))).toEqual([413, 'FILE_TOO_LARGE']);
    expect((await me.upload('PASSPORT', large.subarray(0, 10 * 1024 * 1024))).status).toBe(201);
  });

  test('400 NOT_EDITABLE before it begins, and after it was approved', async () => {
    const me = await applicant(world);
    expect(refused(await me.upload())).toEqual([400, 'NOT_EDITABLE']);
    await me.start();
    await me.put('APPROVED');
    expect(refused(await me.upload())).toEqual([400, 'NOT_EDITABLE']);
  });

  test('after a rejection it begins a new one, with what was stated last and what was not rejected', async () => {
    const me = await someone();
    await me.upload('PASSPORT');
    await me.upload('SELFIE');
    await execute(
      world.db,
      `UPDATE kyc_verification_documents l SET status = 'REJECTED' FROM kyc_documents d
        WHERE d.id = l.document_id AND d.user_id = $1 AND d.type = 'SELFIE'`,
      [me.user.id],
    );
    await me.put('REJECTED');
    const { id: rejected } = await me.view();
    expect((await me.upload('SELFIE')).status).toBe(201);
    const begun = await me.view();
    expect(begun).toMatchObject({ status: 'DOCUMENTS_PENDING', requestedLevel: 'STANDARD', rejection: null });
    expect(begun.id).not.toBe(rejected);
    expect(begun.documents).toMatchObject([
      { type: 'PASSPORT', status: 'UPLOADED' },
      { type: 'SELFIE', status: 'UPLOADED' },
    ]);
    expect(await me.history()).toEqual(expect.arrayContaining(['STARTED', 'DOCUMENT_UPLOADED']));
  });

  test('after a final rejection, and where what was stated is gone, it begins none', async () => {
    const me = await someone();
    await me.put('REJECTED', { can_resubmit: false });
    expect(refused(await me.upload())).toEqual([400, 'VALIDATION_ERROR', 'RESUBMISSION_NOT_ALLOWED']);
    await me.put('REJECTED', { can_resubmit: true, personal_info: null });
    expect(refused(await me.upload())).toEqual([400, 'NOT_EDITABLE']);
    expect(await me.held()).toEqual([]);
  });

  test('400 NOT_EDITABLE in review, before the file is looked at', async () => {
    const me = await someone();
    await me.put('SUBMITTED');
    const answer = await me.upload('PASSPORT', Buffer.from('no picture'));
    expect(refused(answer)).toEqual([400, 'NOT_EDITABLE']);
  });

  test('400 MAX_ATTEMPTS after three files, and after three submissions; of other types there are some left', async () => {
    const me = await someone();
    for (let i = 0; i < 3; i++) expect((await me.upload('PASSPORT')).status).toBe(201);
    expect(refused(await me.upload('PASSPORT'))).toEqual([400, 'MAX_ATTEMPTS']);
    await execute(world.db, `UPDATE kyc_document_tries SET tries = 2, uploads = 0 WHERE user_id = $1`, [
      me.user.id,
    ]);
    expect((await me.upload('PASSPORT')).status).toBe(201);
    await execute(world.db, `UPDATE kyc_document_tries SET tries = 3, uploads = 0 WHERE user_id = $1`, [
      me.user.id,
    ]);
    expect(refused(await me.upload('PASSPORT', Buffer.from('no picture')))).toEqual([400, 'MAX_ATTEMPTS']);
    expect((await me.upload('SELFIE')).status).toBe(201);
  });

  test('of a review that begins during the upload, nothing is left', async () => {
    const me = await someone();
    const before = await blobFiles(world);
    const racing = Array.from({ length: 4 }, () => me.upload('INCOME_PROOF'));
    await me.put('SUBMITTED');
    const answers = await Promise.all(racing);
    const stored = answers.filter(({ status }) => status === 201).length;
    for (const answer of answers.filter(({ status }) => status !== 201))
      expect(['NOT_EDITABLE', 'TOO_MANY_REQUESTS']).toContain(answer.body.error.code);
    expect(await me.held()).toHaveLength(stored);
    expect(await blobFiles(world)).toBe(before + 3 * stored);
  });
});
