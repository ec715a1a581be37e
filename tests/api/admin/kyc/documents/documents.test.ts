import { randomUUID } from 'node:crypto';
import { readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { execute, firstRow } from '../../../../../db/sql/query';
import { signIn } from '../../../../support/builders/sign-in';
import { startAdminWorld, outcomeOf, type AdminWorld } from '../../admin-world';
import { recordsOf } from '../../records';
import { documentIn, verificationIn } from '../cases';

const lines: string[] = [];
let desk: AdminWorld;
beforeAll(async () => {
  desk = await startAdminWorld({ worker: false, lines });
});
beforeEach(() => {
  lines.length = 0;
});
afterAll(() => desk.world.teardown());

type Part = 'file' | 'thumbnail';
const pathOf = (id: string, documentId: string, part: Part = 'file') =>
  `/admin/kyc/${id}/documents/${documentId}/${part}`;
const open = (id: string, documentId: string, part: Part = 'file', token = desk.tokens.admin) =>
  desk.ask('get', pathOf(id, documentId, part), undefined, token);

async function held(options: Parameters<typeof documentIn>[2] = {}) {
  const made = await verificationIn(desk.world);
  return { ...made, documentId: await documentIn(desk.world, made, options) };
}

const openings = async (id: string) =>
  (await recordsOf(desk, 'kyc', id)).map(({ actorId, action, next }) => ({ actorId, action, next }));

describe('GET /admin/kyc/:id/documents/:documentId/file', () => {
  test.each([
    ['image/jpeg', 'inline; filename=passport-1.jpg'],
    ['image/png', 'inline; filename=passport-1.png'],
    ['application/pdf', 'attachment; filename=passport-1.pdf'],
  ] as const)('%s: its bytes, under headers that let nothing in it run', async (contentType, disposition) => {
    const content = '<script>alert(1)</script> %PDF \u0000 bytes';
    const { id, documentId } = await held({ contentType, content });
    const { status, headers, body, text } = await open(id, documentId);
    expect(status).toBe(200);
    expect(Buffer.isBuffer(body) ? body.toString() : text).toBe(content);
    expect(headers).toMatchObject({
      'content-type': contentType,
      'content-length': String(Buffer.byteLength(content)),
      'content-disposition': disposition,
      'x-content-type-options': 'nosniff',
      'content-security-policy': "sandbox; default-src 'none'",
      'cache-control': 'no-store',
      'cross-origin-resource-policy': 'same-site',
    });
    expect(headers).not.toHaveProperty('etag');
  });

  test('each opening is recorded with the document before its bytes go out, HEAD and thumbnails too', async () => {
    const { id, user, documentId } = await held();
    await open(id, documentId);
    await open(id, documentId, 'thumbnail', desk.tokens.superAdmin);
    const head = await desk.world.http
      .head(`/api/v1${pathOf(id, documentId)}`)
      .auth(desk.tokens.admin, { type: 'bearer' });
    expect([head.status, head.headers['content-type']]).toEqual([200, 'image/jpeg']);
    const next = { userId: user.id, documentId };
    expect(await openings(id)).toEqual([
      { actorId: desk.admin.id, action: 'kyc.open-file', next: { ...next, part: 'file' } },
      { actorId: desk.superAdmin.id, action: 'kyc.open-file', next: { ...next, part: 'thumbnail' } },
      { actorId: desk.admin.id, action: 'kyc.open-file', next: { ...next, part: 'file' } },
    ]);
  });

  test('without the record there are no bytes', async () => {
    const { id, documentId } = await held({ content: 'the face of Ada' });
    await execute(
      desk.world.owner,
      `ALTER TABLE audit_records ADD CONSTRAINT none CHECK (entity_id <> '${id}')`,
    );
    try {
      const answer = await open(id, documentId);
      expect(outcomeOf(answer)).toBe('500 INTERNAL_ERROR');
      expect(JSON.stringify(answer.body)).not.toContain('the face');
    } finally {
      await execute(desk.world.owner, 'ALTER TABLE audit_records DROP CONSTRAINT none');
    }
  });

  test('DOCUMENT_NOT_FOUND: of another verification, unknown, or erased; no record is left', async () => {
    const [mine, others] = [await held(), await held()];
    expect(outcomeOf(await open(mine.id, others.documentId))).toBe('404 DOCUMENT_NOT_FOUND');
    expect(outcomeOf(await open(mine.id, randomUUID()))).toBe('404 DOCUMENT_NOT_FOUND');
    const { fileBlob } = await blobsOf(mine.documentId);
    await rm(placeOf(fileBlob));
    const answer = await open(mine.id, mine.documentId);
    expect(outcomeOf(answer)).toBe('404 DOCUMENT_NOT_FOUND');
    expect(answer.headers).not.toHaveProperty('content-disposition');
    expect(await openings(mine.id)).toEqual([]);
  });

  test('KYC_NOT_FOUND, FORBIDDEN for an own case and for users, VALIDATION_ERROR', async () => {
    const { id, user, documentId } = await held();
    expect(outcomeOf(await open(randomUUID(), documentId))).toBe('404 KYC_NOT_FOUND');
    expect(outcomeOf(await open(id, 'first'))).toBe('400 VALIDATION_ERROR');
    const token = await signIn(desk.world, user);
    expect(outcomeOf(await open(id, documentId, 'file', token))).toBe('403 FORBIDDEN');
    const own = await verificationIn(desk.world, { user: desk.admin, status: 'REJECTED' });
    const ownDocument = await documentIn(desk.world, own);
    for (const part of ['file', 'thumbnail'] as const)
      expect(outcomeOf(await open(own.id, ownDocument, part))).toBe('403 FORBIDDEN');
    expect(await openings(own.id)).toEqual([]);
    expect(outcomeOf(await desk.ask('get', `${pathOf(id, documentId)}?as=html`))).toBe(
      '400 VALIDATION_ERROR',
    );
  });

  test('altered bytes are never sent: 500 without a word about them, and a security event', async () => {
    const { id, documentId } = await held({ content: 'the passport of Ada' });
    const { fileBlob } = await blobsOf(documentId);
    const sealed = await readFile(placeOf(fileBlob));
    sealed[sealed.length - 1]! ^= 1;
    await writeFile(placeOf(fileBlob), sealed);
    const answer = await open(id, documentId);
    expect(outcomeOf(answer)).toBe('500 INTERNAL_ERROR');
    expect(answer.headers).not.toHaveProperty('content-disposition');
    expect(answer.body.error).toEqual({
      code: 'INTERNAL_ERROR',
      message: 'Something went wrong on our side.',
    });
    const event = lines.find((line) => line.includes('kyc-unreadable'));
    expect(event).toContain('"method":"file"');
    expect(lines.join('')).not.toContain(fileBlob);
    expect(await openings(id)).toEqual([]);
  });

  test('the files of two documents swapped in the database do not open', async () => {
    const [one, other] = [await held({ thumbnail: null }), await held({ thumbnail: null })];
    const { fileBlob } = await blobsOf(other.documentId);
    await execute(desk.world.owner, `UPDATE kyc_documents SET file_blob = 'gone' WHERE id = $1`, [
      other.documentId,
    ]);
    await execute(desk.world.owner, 'UPDATE kyc_documents SET file_blob = $2 WHERE id = $1', [
      one.documentId,
      fileBlob,
    ]);
    expect(outcomeOf(await open(one.id, one.documentId))).toBe('500 INTERNAL_ERROR');
  });
});

describe('GET /admin/kyc/:id/documents/:documentId/thumbnail', () => {
  test('a small picture', async () => {
    const { id, documentId } = await held({ contentType: 'application/pdf', thumbnail: 'a small page' });
    const { headers, body } = await open(id, documentId, 'thumbnail');
    expect((body as Buffer).toString()).toBe('a small page');
    expect(headers).toMatchObject({
      'content-type': 'image/webp',
      'content-disposition': 'inline; filename=passport-1-thumbnail.webp',
    });
  });

  test('DOCUMENT_NOT_FOUND where there is none, KYC_NOT_FOUND', async () => {
    const { id, documentId } = await held({ thumbnail: null });
    expect(outcomeOf(await open(id, documentId, 'thumbnail'))).toBe('404 DOCUMENT_NOT_FOUND');
    expect(outcomeOf(await open(randomUUID(), documentId, 'thumbnail'))).toBe('404 KYC_NOT_FOUND');
  });
});

const placeOf = (name: string): string => join(desk.world.blobDir, name.slice(0, 2), name);

async function blobsOf(documentId: string): Promise<{ fileBlob: string }> {
  const found = await firstRow<{ fileBlob: string }>(
    desk.world.db,
    'SELECT file_blob FROM kyc_documents WHERE id = $1',
    [documentId],
  );
  return found!;
}
