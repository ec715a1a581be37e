import { v7 } from 'uuid';
import { execute, rows } from '../../../../../db/sql/query';
import { make } from '../../../../support/builders/make';
import { violations } from '../../../../support/checks/violations';
import { onePage } from '../../../../support/fakes/pdf-files';
import { picture } from '../../../users/pictures';
import { startAdminWorld, outcomeOf, type AdminWorld } from '../../admin-world';
import { refusalOf } from '../../products/product-requests';
import { auditsOf } from '../strategy-requests';

let at: AdminWorld;
beforeAll(async () => {
  at = await startAdminWorld({ worker: false });
});
afterAll(() => at.world.teardown());
beforeEach(() => execute(at.world.db, 'DELETE FROM discarded_blobs'));

const add = (
  id: string,
  fields: Record<string, string> = { type: 'PROSPECTUS', name: 'Prospectus 2026' },
  file = onePage(),
  token = at.tokens.admin,
) => {
  const request = at.world.http
    .post(`/api/v1/admin/strategies/${id}/documents`)
    .auth(token, { type: 'bearer' });
  for (const [name, value] of Object.entries(fields)) void request.field(name, value);
  return request.attach('file', file, 'prospectus.pdf');
};
const remove = (id: string, documentId: string) =>
  at.ask('delete', `/admin/strategies/${id}/documents/${documentId}`);
const shown = async (id: string) =>
  (await at.ask('get', `/investment/strategies/${id}`, undefined, null)).body.data.documents as {
    type: string;
    name: string;
    url: string;
  }[];

describe('POST /admin/strategies/:id/documents', () => {
  test('201: visitors find it at once, in the order of adding, and can only download it', async () => {
    const { id } = await make.strategy(at.world.db);
    expect(await shown(id)).toEqual([]);
    const first = await add(id);
    const url = expect.stringMatching(new RegExp(`^${at.world.url}/media/[0-9a-f]{64}$`));
    const document = { type: 'PROSPECTUS', name: 'Prospectus 2026', url };
    expect([first.status, first.body.data]).toEqual([201, { id: expect.any(String), ...document }]);
    await add(id, { type: 'TERMS', name: 'Terms' });
    expect(await shown(id)).toEqual([document, { type: 'TERMS', name: 'Terms', url }]);

    const file = await at.world.http.get(new URL(first.body.data.url).pathname).buffer(true);
    expect([file.status, Buffer.compare(file.body as Buffer, onePage())]).toEqual([200, 0]);
    expect(file.headers).toMatchObject({
      'content-type': 'application/pdf',
      'content-disposition': 'attachment; filename="document.pdf"',
      'content-security-policy': "default-src 'none'; sandbox",
      'x-content-type-options': 'nosniff',
    });
    expect(await auditsOf(at.world.db, id)).toMatchObject([
      { action: 'strategy.add-document', previous: null, next: { documentId: first.body.data.id } },
      { action: 'strategy.add-document' },
    ]);
    expect(await violations(at.world.db)).toEqual([]);
  });

  test('400 INVALID_FILE_TYPE: a picture, a page of HTML, a PDF that acts by itself', async () => {
    const { id } = await make.strategy(at.world.db);
    const files = [
      await picture('png'),
      Buffer.from('<html></html>'),
      onePage({ catalog: '/OpenAction << /S /JavaScript /JS (1) >>' }),
      onePage().subarray(0, 80),
    ];
    for (const file of files) {
      const answer = await add(id, { type: 'TERMS', name: 'x' }, file);
      expect(outcomeOf(answer)).toBe('400 INVALID_FILE_TYPE');
    }
    expect(await shown(id)).toEqual([]);
  });

  test('413 FILE_TOO_LARGE, 404 STRATEGY_NOT_FOUND, 400 VALIDATION_ERROR by field', async () => {
    const { id } = await make.strategy(at.world.db);
    const large = Buffer.concat([onePage(), Buffer.alloc(10 * 1024 * 1024)]);
    expect(outcomeOf(await add(id, undefined, large))).toBe('413 FILE_TOO_LARGE');
    expect(outcomeOf(await add(v7()))).toBe('404 STRATEGY_NOT_FOUND');
    for (const [field, fields] of [
      ['type', { type: 'PHOTO', name: 'x' }],
      ['name', { type: 'TERMS', name: ' ' }],
      ['name', { type: 'TERMS' }],
    ] as const)
      expect(refusalOf(await add(id, fields as Record<string, string>))).toEqual({
        status: 400,
        code: 'VALIDATION_ERROR',
        fields: [field],
      });
  });

  test('at most twenty, also when two come at once', async () => {
    const { id } = await make.strategy(at.world.db);
    for (let n = 0; n < 19; n++) await make.strategyDocument(at.world.db, id, { position: n });
    const answers = await Promise.all([add(id), add(id, undefined, undefined, at.tokens.superAdmin)]);
    expect(answers.map(outcomeOf).sort()).toEqual(['201', '400 VALIDATION_ERROR']);
    expect((await add(id)).body.error.reason).toBe('TOO_MANY_DOCUMENTS');
    expect(await shown(id)).toHaveLength(20);
    // Listed to be deleted: the files of those that were refused.
    const listed = await rows(at.world.db, 'SELECT name FROM discarded_blobs');
    expect([listed.length, await violations(at.world.db)]).toEqual([2, []]);
  });
});

describe('DELETE /admin/strategies/:id/documents/:documentId', () => {
  test('200, then 404 DOCUMENT_NOT_FOUND; its file is gone', async () => {
    const { id } = await make.strategy(at.world.db);
    const { id: documentId, url } = (await add(id)).body.data as { id: string; url: string };
    const answer = await remove(id, documentId);
    expect([answer.status, answer.body.data]).toEqual([
      200,
      { id: documentId, deletedAt: expect.any(String), deletedBy: at.admin.id },
    ]);
    expect(await shown(id)).toEqual([]);
    expect((await at.world.http.get(new URL(url).pathname)).status).toBe(404);
    expect(outcomeOf(await remove(id, documentId))).toBe('404 DOCUMENT_NOT_FOUND');
    expect((await auditsOf(at.world.db, id)).at(-1)).toMatchObject({
      action: 'strategy.delete-document',
      previous: { documentId, url },
      next: { documentId },
    });
  });

  test('404: a document of another strategy, an unknown strategy', async () => {
    const [one, other] = [await make.strategy(at.world.db), await make.strategy(at.world.db)];
    const documentId = await make.strategyDocument(at.world.db, one.id);
    expect(outcomeOf(await remove(other.id, documentId))).toBe('404 DOCUMENT_NOT_FOUND');
    expect(outcomeOf(await remove(v7(), documentId))).toBe('404 STRATEGY_NOT_FOUND');
    expect(await shown(one.id)).toHaveLength(1);
  });
});
