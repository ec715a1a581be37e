import { DOMParser } from '@xmldom/xmldom';
import { randomUUID } from 'node:crypto';
import { rows } from '../../../../db/sql/query';
import { bankName } from '../../../../workflows/commerce/payout/bank-file/bank-file.rules';
import { restored } from '../../../support/builders/paying-out/restoring';
import { collected, debtor, filed } from '../../../support/builders/payouts/bank-files';
import { outcomeOf, startAdminWorld, type AdminWorld } from '../admin-world';

let staff: AdminWorld;
beforeAll(async () => {
  staff = await startAdminWorld();
});
afterAll(() => staff.world.teardown());

const make = (token?: string | null) => staff.ask('post', '/admin/bank-files', undefined, token);
const list = (query = '') => staff.ask('get', `/admin/bank-files${query}`);
const show = (id: string) => staff.ask('get', `/admin/bank-files/${id}`);
const file = (id: string) => staff.ask('get', `/admin/bank-files/${id}/file`);
const auditOf = (id: string) =>
  rows<{ action: string; actorId: string; next: object }>(
    staff.world.db,
    'SELECT action, actor_id, next FROM audit_records WHERE entity_id = $1 ORDER BY sequence',
    [id],
  );

describe('POST /admin/bank-files', () => {
  test('makes one file of all that is collected, which is then in no other', async () => {
    const names = await collected(staff.world.db, [1, 99_999_999_999]);
    const { status, body } = await make();
    expect(status).toBe(201);
    expect(body.data).toEqual({
      id: expect.any(String),
      messageId: bankName(String(body.data.id)),
      transfers: 2,
      amount: 1_000_000_000,
      currency: 'EUR',
      arrived: 0,
      refused: 0,
      underWay: 2,
      isKept: true,
      madeBy: staff.admin.id,
      madeAt: expect.any(String),
      reportedAt: null,
      left: 0,
      unreadable: 0,
    });
    const { text } = await file(String(body.data.id));
    for (const name of names) expect(text).toContain(`<EndToEndId>${name}</EndToEndId>`);
    const again = await make();
    expect(outcomeOf(again)).toBe('400 VALIDATION_ERROR');
    expect(again.body.error.reason).toBe('NOTHING_COLLECTED');
    expect(await auditOf(String(body.data.id))).toMatchObject([
      { action: 'bank-file.make', actorId: staff.admin.id, next: { transfers: 2 } },
      { action: 'bank-file.read' },
    ]);
  });

  test('holds one currency, that of the oldest; the next file holds the next', async () => {
    const [dollars] = await collected(staff.world.db, [1_050], 'USD');
    await collected(staff.world.db, [2_000], 'EUR');
    const [more] = await collected(staff.world.db, [50], 'USD');
    await collected(staff.world.db, [700], 'JPY');
    const made: object[] = [];
    for (let n = 0; n < 3; n++) made.push((await make()).body.data as object);
    expect(made).toMatchObject([
      { currency: 'USD', amount: 11, transfers: 2, left: 2 },
      { currency: 'EUR', amount: 20, transfers: 1, left: 1 },
      { currency: 'JPY', amount: 700, transfers: 1, left: 0 },
    ]);
    expect((await list('?pageSize=3')).body.data.files).toMatchObject([
      ...[{ currency: 'JPY', amount: 700 }, { currency: 'EUR' }, { currency: 'USD' }],
    ]);
    const { text } = await file((made[0] as { id: string }).id);
    for (const [name, amount] of [[dollars, '10.50'] as const, [more, '0.50'] as const])
      expect(text).toContain(
        `<EndToEndId>${name}</EndToEndId></PmtId><Amt><InstdAmt Ccy="USD">${amount}</InstdAmt>`,
      );
  });

  test('repeated under its key it is the same file', async () => {
    await collected(staff.world.db);
    const key = randomUUID();
    const keyed = () =>
      staff.world.http
        .post('/api/v1/admin/bank-files')
        .auth(staff.tokens.admin, { type: 'bearer' })
        .set('Idempotency-Key', key);
    const first = await keyed();
    expect(first.status).toBe(201);
    expect((await keyed()).body).toEqual(first.body);
  });

  test('makes none after a restore that is not released: the bank may have a file of the time after the copy', async () => {
    await collected(staff.world.db);
    const release = await restored(staff.world);
    const refused = await make();
    expect([outcomeOf(refused), refused.body.error.reason]).toEqual(['403 FORBIDDEN', 'PAYOUTS_STOPPED']);
    expect((await staff.ask('get', '/admin/reconciliation/runs')).body.data.payoutsStopped).toBe(true);
    await release();
    expect((await make()).status).toBe(201);
  });

  test('is for administrators', async () => {
    expect(outcomeOf(await make(null))).toBe('401 UNAUTHORIZED');
    expect(outcomeOf(await make(staff.tokens.user))).toBe('403 FORBIDDEN');
  });
});

describe('where no account is configured', () => {
  let bare: AdminWorld;
  beforeAll(async () => {
    bare = await startAdminWorld({ variables: { BANK_FILE_DEBTOR_BIC: '' } });
  });
  afterAll(() => bare.world.teardown());

  test('no file is made: PROVIDER_NOT_CONFIGURED', async () => {
    await collected(bare.world.db);
    expect(outcomeOf(await bare.ask('post', '/admin/bank-files'))).toBe('503 PROVIDER_NOT_CONFIGURED');
  });
});

describe('GET /admin/bank-files', () => {
  test('newest first, page by page, with what waits for the next one', async () => {
    const [first, second] = [await filed(staff.world.db), await filed(staff.world.db)];
    await collected(staff.world.db, [1, 2, 3]);
    const { status, body } = await list('?pageSize=2');
    expect(status).toBe(200);
    const idsOf = (answer: typeof body): string[] =>
      (answer.data.files as { id: string }[]).map(({ id }) => id);
    expect(idsOf(body)).toEqual([second.fileId, first.fileId]);
    expect(body.data.collected).toBe(3);
    expect(body.meta.pagination.total).toBeGreaterThanOrEqual(2);
    expect(idsOf((await list('?pageSize=1&page=2')).body)).toEqual([first.fileId]);
    expect((await make()).body.data.transfers).toBe(3);
  });
});

describe('one file', () => {
  test('is shown as it was made', async () => {
    const { fileId } = await filed(staff.world.db, [5, 6]);
    const { status, body } = await show(fileId);
    expect(status).toBe(200);
    expect(body.data).toMatchObject({ id: fileId, transfers: 2, amount: 0.11, underWay: 2 });
  });

  test('is saved as XML under a name of its own, the same each time, and each save is recorded', async () => {
    const { fileId, transfers } = await filed(staff.world.db, [1_050]);
    const answer = await file(fileId);
    expect(answer.status).toBe(200);
    expect(answer.headers['content-type']).toMatch(/^application\/xml/);
    expect(answer.headers['content-disposition']).toMatch(
      new RegExp(`^attachment; filename=transfers-\\d{4}-\\d\\d-\\d\\d-${bankName(fileId)}\\.xml$`),
    );
    const root = new DOMParser().parseFromString(answer.text, 'text/xml');
    const texts = (name: string): (string | null)[] =>
      Array.from(root.getElementsByTagName(name), ({ textContent }) => textContent);
    expect(texts('MsgId')).toEqual([bankName(fileId)]);
    expect(texts('NbOfTxs')).toEqual(['1', '1']);
    expect(texts('CtrlSum')).toEqual(['10.50', '10.50']);
    expect(texts('Nm')).toEqual([debtor.name, debtor.name, 'Ada Lovelace']);
    expect(texts('IBAN')).toEqual([debtor.iban, 'DE89370400440532013000']);
    expect(texts('BICFI')).toEqual([debtor.bic]);
    expect(texts('InstdAmt')).toEqual(['10.50']);
    expect(texts('EndToEndId')).toEqual(transfers);
    expect((await file(fileId)).text).toBe(answer.text);
    expect((await auditOf(fileId)).map(({ action }) => action)).toEqual([
      ...['bank-file.make', 'bank-file.read', 'bank-file.read'],
    ]);
  });

  test('is not found under another id, nor its content once it is forgotten', async () => {
    for (const ask of [show, file]) {
      expect(outcomeOf(await ask(randomUUID()))).toBe('404 BANK_FILE_NOT_FOUND');
      expect(outcomeOf(await ask('one'))).toBe('400 VALIDATION_ERROR');
    }
    const { fileId } = await filed(staff.world.db);
    await rows(staff.world.db, 'UPDATE bank_files SET content = NULL WHERE id = $1', [fileId]);
    expect((await show(fileId)).body.data.isKept).toBe(false);
    expect(outcomeOf(await file(fileId))).toBe('404 BANK_FILE_NOT_FOUND');
  });
});
