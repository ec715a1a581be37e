import { randomUUID } from 'node:crypto';
import type { Response } from 'supertest';
import { firstRow, rows } from '../../../../db/sql/query';
import { filed, statusReport, type Said } from '../../../support/builders/payouts/bank-files';
import { outcomeOf, startAdminWorld, type AdminWorld } from '../admin-world';

let staff: AdminWorld;
beforeAll(async () => {
  staff = await startAdminWorld();
});
afterAll(() => staff.world.teardown());

const enter = async (id: string, report: Buffer | string, token = staff.tokens.admin): Promise<Response> =>
  staff.world.http
    .post(`/api/v1/admin/bank-files/${id}/status-report`)
    .auth(token, { type: 'bearer' })
    .attach('file', Buffer.from(report), 'report.xml');

/** A file of three transfers, with the standing of each. */
async function threeFiled(currency?: string) {
  const { fileId, transfers } = await filed(staff.world.db, [100, 200, 300], currency);
  const standing = async (): Promise<string> =>
    (await firstRow<{ standing: string }>(
      staff.world.db,
      `SELECT string_agg(status, ' ' ORDER BY amount_minor) AS standing FROM bank_file_transfers WHERE file_id = $1`,
      [fileId],
    ))!.standing;
  return { fileId, transfers: transfers as [string, string, string], standing };
}

test('a report settles and refuses transfers, each by itself; entered again it changes nothing', async () => {
  const { fileId, transfers, standing } = await threeFiled();
  const report = statusReport(
    fileId,
    [
      { transfer: transfers[0], status: 'ACSC', amount: '1.00' },
      { transfer: transfers[1], status: 'RJCT', reason: 'AC04' },
      { transfer: transfers[2], status: 'PDNG' },
    ],
    { group: 'PART' },
  );
  const { status, body } = await enter(fileId, report);
  expect(status).toBe(200);
  expect(body.data).toMatchObject({
    ...{ id: fileId, arrived: 1, refused: 1, underWay: 1, changed: 2, contradictions: [] },
    reportedAt: expect.any(String),
  });
  expect(await standing()).toBe('ARRIVED REFUSED IN_FILE');
  expect((await enter(fileId, report)).body.data).toMatchObject({ changed: 0, arrived: 1, refused: 1 });
  const later = statusReport(fileId, [{ transfer: transfers[2], status: 'ACCC' }]);
  expect((await enter(fileId, later)).body.data).toMatchObject({ changed: 1, arrived: 2, underWay: 0 });
});

test.each([
  ['the whole file is settled', { group: 'ACSC' }, 'ARRIVED ARRIVED ARRIVED'],
  ['the whole file is refused', { group: 'RJCT', reason: 'FF01' }, 'REFUSED REFUSED REFUSED'],
  ['its payment is refused', { group: 'PART', payment: 'RJCT', reason: 'AC01' }, 'REFUSED REFUSED REFUSED'],
  ['its payment is refused without a reason', { group: 'PART', payment: 'RJCT' }, 'IN_FILE IN_FILE IN_FILE'],
  ['it is refused for the bank’s own reason', { group: 'RJCT', reason: '=Z1' }, 'IN_FILE IN_FILE IN_FILE'],
  ['it is accepted', { group: 'ACCP' }, 'IN_FILE IN_FILE IN_FILE'],
  ['it was handed in twice', { group: 'RJCT', reason: 'DU01' }, 'IN_FILE IN_FILE IN_FILE'],
  [
    'it was handed in twice, after other reasons',
    { group: 'RJCT', reason: 'FF01 =X AM05' },
    'IN_FILE IN_FILE IN_FILE',
  ],
  [
    'its payment is refused, because it was handed in twice',
    { group: 'RJCT', groupReason: 'DU01', payment: 'RJCT', reason: 'AC01' },
    'IN_FILE IN_FILE IN_FILE',
  ],
  ['nothing is said', {}, 'IN_FILE IN_FILE IN_FILE'],
])('without a word on its transfers: %s', async (_, all, expected) => {
  const { fileId, standing } = await threeFiled();
  expect((await enter(fileId, statusReport(fileId, [], all))).status).toBe(200);
  expect(await standing()).toBe(expected);
});

test('a transfer that is named has its own status only; all others have that of all', async () => {
  const { fileId, transfers, standing } = await threeFiled();
  const said = [{ transfer: transfers[1], status: 'RJCT', reason: 'AC01' }, { transfer: transfers[2] }];
  await enter(fileId, statusReport(fileId, said, { group: 'ACSC' }));
  expect(await standing()).toBe('ARRIVED REFUSED IN_FILE');
});

test('a file that was handed in twice refuses no transfer, though each is rejected', async () => {
  const { fileId, transfers, standing } = await threeFiled();
  const said = transfers.map((transfer, n) => ({
    transfer,
    status: 'RJCT',
    ...(n > 0 && { reason: 'AC04' }),
  }));
  const { body } = await enter(fileId, statusReport(fileId, said, { group: 'RJCT', reason: 'DU01' }));
  expect(body.data.changed).toBe(0);
  expect(await standing()).toBe('IN_FILE IN_FILE IN_FILE');
});

test('of the reason of a refusal only a code is kept', async () => {
  const { fileId, transfers } = await threeFiled();
  const reasons = ['=Ada-Lovelace-is-dead', '=Z9', undefined];
  await enter(
    fileId,
    statusReport(
      fileId,
      transfers.map((transfer, n) => ({
        ...{ transfer, status: 'RJCT' },
        ...(reasons[n] !== undefined && { reason: reasons[n] }),
      })),
    ),
  );
  const kept = await rows<{ reason: string }>(
    staff.world.db,
    'SELECT refused_because AS reason FROM bank_file_transfers WHERE file_id = $1 ORDER BY amount_minor',
    [fileId],
  );
  expect(kept.map(({ reason }) => reason)).toEqual([
    'The bank refused it: no reason given.',
    'The bank refused it: Z9.',
    'The bank refused it: no reason given.',
  ]);
});

test.each([
  ['EUR', '3', '6.00', '1.00'],
  ['USD', '003', '6.0', '1'],
  ['JPY', '3', '600', '100.00'],
  ['KWD', '3', '0.6', '0.100'],
])('a report that repeats a file in %s as it is is read', async (currency, count, sum, amount) => {
  const { fileId, transfers, standing } = await threeFiled(currency);
  const said = [{ transfer: transfers[0], status: 'ACSC', amount, currency }];
  expect((await enter(fileId, statusReport(fileId, said, { count, sum }))).status).toBe(200);
  expect(await standing()).toBe('ARRIVED IN_FILE IN_FILE');
});

test('what has ended does not end otherwise: the contradiction is named', async () => {
  const { fileId, transfers, standing } = await threeFiled();
  const [first, second] = transfers;
  const say = (...said: Said[]) => enter(fileId, statusReport(fileId, said));
  await say({ transfer: first, status: 'ACSC' }, { transfer: second, status: 'RJCT' });
  const { body } = await say(
    { transfer: first, status: 'RJCT', reason: 'MD07' },
    { transfer: second, status: 'ACCC' },
  );
  expect(body.data.changed).toBe(0);
  expect(body.data.contradictions).toEqual([
    { transfer: first, status: 'ARRIVED', reported: 'REFUSED' },
    { transfer: second, status: 'REFUSED', reported: 'ARRIVED' },
  ]);
  expect(await standing()).toBe('ARRIVED REFUSED IN_FILE');
});

test('a contradiction is a difference that stops payouts until it is resolved; entered again it is the same', async () => {
  const { fileId, transfers } = await threeFiled();
  const [first, second] = transfers;
  const say = (status: string, other: string) =>
    enter(
      fileId,
      statusReport(fileId, [
        { transfer: first, status },
        { transfer: second, status: other },
      ]),
    );
  const differences = async () =>
    (await staff.ask('get', '/admin/reconciliation/differences?provider=bank-file&status=ALL')).body.data
      .differences as { id: string; providerId: string; status: string }[];
  const ofFile = async () =>
    (await differences()).filter(({ providerId }) => providerId === first || providerId === second);
  await say('ACSC', 'RJCT');
  expect(await ofFile()).toEqual([]);
  for (let times = 0; times < 2; times++) await say('RJCT', 'ACSC');
  const found = await ofFile();
  const money = (amount: number) => ({ amount, currency: 'EUR' });
  const shown = { provider: 'bank-file', runId: null, movementKind: 'TRANSFER_OUT', status: 'OPEN' };
  expect(found).toHaveLength(2);
  expect(found).toContainEqual(
    expect.objectContaining({
      ...shown,
      providerId: first,
      kind: 'MISSING_THERE',
      ours: money(1),
      theirs: null,
    }),
  );
  expect(found).toContainEqual(
    expect.objectContaining({
      ...shown,
      providerId: second,
      kind: 'MISSING_HERE',
      ours: null,
      theirs: money(2),
    }),
  );
  const stopped = async () => (await staff.ask('get', '/admin/reconciliation/runs')).body.data.payoutsStopped;
  expect(await stopped()).toBe(true);
  for (const { id } of await differences())
    await staff.ask('post', `/admin/reconciliation/differences/${id}/resolve`, {
      note: 'The bank paid it back.',
    });
  await say('RJCT', 'ACSC');
  expect((await ofFile()).map(({ status }) => status)).toEqual(['RESOLVED', 'RESOLVED']);
  expect(await stopped()).toBe(false);
});

test('reports that are entered at once end each transfer once', async () => {
  const { fileId, standing } = await threeFiled();
  const report = statusReport(fileId, [], { group: 'ACSC' });
  const answers = await Promise.all(Array.from({ length: 6 }, () => enter(fileId, report)));
  expect(answers.map(({ body }) => body.data.changed as number).sort()).toEqual([0, 0, 0, 0, 0, 3]);
  expect(await standing()).toBe('ARRIVED ARRIVED ARRIVED');
});

describe('refused, and nothing of it is applied:', () => {
  const say = (fileId: string, transfer: string, change: object = {}) =>
    statusReport(fileId, [{ transfer, status: 'ACSC', ...change }]).toString();

  test.each<[string, string, (fileId: string, transfers: readonly string[]) => string | Buffer]>([
    ['a report on another file', 'is about another file', (_, [one]) => say(randomUUID(), one!)],
    [
      'a transfer of another file',
      'does not hold',
      (id, [one]) =>
        statusReport(id, [
          { transfer: one!, status: 'ACSC' },
          { transfer: 'x', status: 'ACSC' },
        ]),
    ],
    ['another amount', 'another amount', (id, [one]) => say(id, one!, { amount: '1.01' })],
    ['an amount that is none', 'an amount that is none', (id, [one]) => say(id, one!, { amount: '1e2' })],
    ['a tenth of a cent', 'another amount', (id, [one]) => say(id, one!, { amount: '1.001' })],
    [
      'another currency',
      'another currency',
      (id, [one]) => say(id, one!, { amount: '1.00', currency: 'USD' }),
    ],
    [
      'another payment',
      'another payment',
      (id) => statusReport(id, [], { group: 'ACSC', paymentId: 'other' }),
    ],
    [
      'another number of transfers',
      'another number',
      (id) => statusReport(id, [], { group: 'ACSC', count: '2' }),
    ],
    [
      'a number that is none',
      'another number',
      (id) => statusReport(id, [], { group: 'ACSC', count: '3.0' }),
    ],
    ['another sum', 'another sum', (id) => statusReport(id, [], { group: 'ACSC', sum: '6.01' })],
    ['a sum that is none', 'none', (id) => statusReport(id, [], { group: 'ACSC', sum: '6,00' })],
    [
      'a transfer that is named twice',
      'twice',
      (id, [one]) =>
        statusReport(id, [
          { transfer: one!, status: 'ACSC' },
          { transfer: one!, status: 'RJCT' },
        ]),
    ],
    ['no name of the file', 'does not name', (id, [one]) => say(id, one!).replaceAll('OrgnlMsgId', 'Other')],
    [
      'no reference of a transfer',
      'end-to-end reference',
      (id, [one]) => say(id, one!).replaceAll('OrgnlEndToEndId', 'Other'),
    ],
    [
      'several payments',
      'several payments',
      (id, [one]) => say(id, one!).replace('</CstmrPmtStsRpt>', '<OrgnlPmtInfAndSts/></CstmrPmtStsRpt>'),
    ],
    ['a long status', 'too long', (id, [one]) => say(id, one!, { status: 'A'.repeat(111) })],
    [
      'parts without end',
      'more parts',
      (id, [one]) => say(id, one!).replace('<GrpHdr>', `${'<a>'.repeat(130_000)}<GrpHdr>`),
    ],
    [
      'namespaces without end',
      'more parts',
      (id, [one]) => say(id, one!).replace('<GrpHdr>', `${'<a xmlns:b="c"/>'.repeat(30)}<GrpHdr>`),
    ],
  ])('%s', async (_, why, reportOf) => {
    const { fileId, transfers, standing } = await threeFiled();
    const answer = await enter(fileId, reportOf(fileId, transfers));
    expect(outcomeOf(answer)).toBe('400 VALIDATION_ERROR');
    expect(answer.body.error.details.file[0]).toContain(why);
    expect(await standing()).toBe('IN_FILE IN_FILE IN_FILE');
  });

  test.each<[string, string, (fileId: string, transfers: readonly string[]) => string | Buffer]>([
    ['half a report', 'must be XML', (id, [one]) => say(id, one!).slice(0, -20)],
    ['no XML', 'must be XML', () => 'ACSC'],
    [
      'another message',
      'pain.002',
      (id, [one]) => say(id, one!).replace('pain.002.001.10', 'camt.053.001.08'),
    ],
    [
      'a document type',
      'no document type',
      (id, [one]) => say(id, one!).replace('?>', '?><!DOCTYPE Document [<!ENTITY a "ACSC">]>'),
    ],
    ['an unknown entity', 'must be XML', (id, [one]) => say(id, one!).replace('ACSC', '&a;')],
    ['bytes that are no UTF-8', 'UTF-8', () => Buffer.from([0x3c, 0xff, 0xfe, 0x3e])],
    ['a NUL', 'must be XML', (id, [one]) => say(id, one!).replace('ACSC', 'AC\0SC')],
  ])('%s, which is no report', async (_, why, reportOf) => {
    const { fileId, transfers, standing } = await threeFiled();
    const answer = await enter(fileId, reportOf(fileId, transfers));
    expect(outcomeOf(answer)).toBe('400 INVALID_FILE_TYPE');
    expect(answer.body.error.details.file[0]).toContain(why);
    expect(await standing()).toBe('IN_FILE IN_FILE IN_FILE');
  });

  test('a file that there is not, a report that is too large, no report, and users', async () => {
    const { fileId } = await threeFiled();
    const report = statusReport(fileId, []);
    expect(outcomeOf(await enter(randomUUID(), report))).toBe('404 BANK_FILE_NOT_FOUND');
    expect(outcomeOf(await enter(fileId, Buffer.alloc(2 * 1024 * 1024 + 1, 60)))).toBe('413 FILE_TOO_LARGE');
    expect(outcomeOf(await enter(fileId, report, staff.tokens.user))).toBe('403 FORBIDDEN');
    const none = await staff.ask('post', `/admin/bank-files/${fileId}/status-report`, {});
    expect(outcomeOf(none)).toBe('415 UNSUPPORTED_MEDIA_TYPE');
  });
});

test('a report with namespaces by prefix, CDATA and comments is read', async () => {
  const { fileId, transfers, standing } = await threeFiled();
  const report = statusReport(fileId, [{ transfer: transfers[0], status: 'ACSC' }])
    .toString()
    .replace('ACSC', '<!-- settled --><![CDATA[ACSC]]>')
    .replace(/<(\/?)([A-Z])/g, '<$1b:$2')
    .replace('xmlns=', 'xmlns:b=');
  expect((await enter(fileId, report)).status).toBe(200);
  expect(await standing()).toBe('ARRIVED IN_FILE IN_FILE');
});
