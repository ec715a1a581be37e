import { randomBytes } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { contentCodeOf, type DocumentFileRow } from '../../../db/kyc/document/document-file';
import { documentNumberCode } from '../../../db/kyc/number/document-number';
import { verificationOf } from '../../../db/kyc/verification/verification.reads';
import { KeyRing, type SealingKey } from '../../../db/sealing/key-ring';
import { sealPurposes } from '../../../db/sealing/purposes';
import { reseal } from '../../../db/sealing/rotation/reseal';
import { resealColumn } from '../../../db/sealing/rotation/reseal.writes';
import { KEYED_CODES, SEALED_COLUMNS } from '../../../db/sealing/rotation/sealed-columns';
import { execute, firstRow, rows } from '../../../db/sql/query';
import { personalInfo } from '../../support/builders/kyc/personal-info';
import { ownDatabase } from '../../support/servers/database';
import { setVariables, testVariables } from '../../support/worlds/variables';
import { allOfThem, opened, secretsUnder, type Secrets } from './secrets';

const own = ownDatabase();
const old: SealingKey = { id: '2026-01', key: randomBytes(32) };
const current: SealingKey = { id: '2026-11', key: randomBytes(32) };
const textOf = (...keys: SealingKey[]): string =>
  keys.map(({ id, key }) => `${id}:${key.toString('base64')}`).join();

let folder: string;
let secrets: Secrets;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'reseal-'));
  for (const table of [
    'bank_file_transfers',
    'bank_files',
    'investment_provider_secrets',
    'investment_withdrawals',
    'kyc_document_numbers',
    'kyc_documents',
    'kyc_history',
    'kyc_provider_reports',
    'kyc_verifications',
    'mailed_tokens',
    'outbox_messages',
    'payouts',
    'request_notes',
    'sent_codes',
  ])
    await execute(own.db, `DELETE FROM ${table}`);
  await execute(own.db, 'DELETE FROM second_factors');
  await execute(
    own.db,
    `UPDATE users SET payout_method = NULL, payout_masked = NULL, payout_sealed = NULL, payout_changed_at = NULL`,
  );
  secrets = await secretsUnder(own.db, new KeyRing([old]), folder);
  setVariables({ ...testVariables, DATABASE_URL: own.url, SEALING_KEYS: textOf(current, old) });
});
afterEach(() => rm(folder, { recursive: true, force: true }));

async function run(...args: string[]): Promise<{ code: number; text: string }> {
  let text = '';
  const code = await reseal(args, (line) => {
    text += line;
  });
  return { code, text };
}

const both = new KeyRing([current, old]);
const payouts = SEALED_COLUMNS.find(({ table }) => table === 'users')!;

test('every secret opens afterwards without the old key, and says the same', async () => {
  await expect(opened(own.db, new KeyRing([current]), folder, secrets)).rejects.toThrow('not on the ring');
  expect(await opened(own.db, both, folder, secrets)).toEqual(allOfThem);
  const { code, text } = await run();
  expect(code).toBe(0);
  for (const { table, column } of SEALED_COLUMNS)
    expect(text).toContain(`${table}.${column}: 1 sealed anew\n`);
  for (const { table, mac } of KEYED_CODES) expect(text).toContain(`${table}.${mac}: 1 coded anew\n`);
  expect(await opened(own.db, new KeyRing([current]), folder, secrets)).toEqual(allOfThem);
});

test('codes are afterwards those of the new key, so that the same document is found', async () => {
  await run();
  const only = new KeyRing([current]);
  const { documentNumberMac: mac, documentNumberKey: keyId } = (await verificationOf(own.db, secrets.kycId))!;
  expect({ mac, keyId }).toEqual(documentNumberCode(only, personalInfo.documentNumber));
  const row = await firstRow<DocumentFileRow & { contentMac: string; contentKey: string }>(
    own.db,
    'SELECT * FROM kyc_documents WHERE id = $1',
    [secrets.documentId],
  );
  expect({ mac: row!.contentMac, keyId: row!.contentKey }).toEqual(contentCodeOf(only, row!));
});

test('--check tells what each key is needed for, and changes nothing', async () => {
  const before = await run('--check');
  expect(before.code).toBe(1);
  expect(before.text).toMatch(
    /^\nKey 2026-11: seals\.\n\nKey 2026-01: still needed\. Run npm run reseal\.\n/,
  );
  for (const { table, column } of SEALED_COLUMNS)
    expect(before.text).toContain(`    ${table}.${column}: 1\n`);
  expect(before.text).toContain('    mailed_tokens.undo_sealed (within): 1\n');
  expect(before.text).toContain('    kyc_documents.content_mac: 1\n');
  expect(await run('--check')).toEqual(before);
  await run();
  const after = await run('--check');
  expect(after.code).toBe(0);
  expect(after.text).toMatch(
    /\n\nKey 2026-01: seals nothing\. Records that are kept are verified by it: keep it on the ring\.\n {4}audit_records.key_id: \d+\n$/,
  );
});

test('the code of an erased number cannot be made anew: its key is kept, and nothing fails', async () => {
  await execute(own.db, 'UPDATE kyc_document_numbers SET number_sealed = NULL');
  const { code, text } = await run();
  expect(code).toBe(0);
  expect(text).toContain('kyc_document_numbers.number_mac: 0 coded anew\n');
  expect(text).toMatch(/Key 2026-01: seals nothing\. [^]*\n {4}kyc_document_numbers\.number_mac: 1\n$/);
});

test('a key by which nothing is sealed or linked may go', async () => {
  const unused = { id: 'unused', key: randomBytes(32) };
  setVariables({ SEALING_KEYS: textOf(current, old, unused) });
  expect((await run('--check')).text).toContain(
    '\nKey unused: not needed any more. Take it off SEALING_KEYS everywhere.\n',
  );
});

test('again, it finds nothing to do', async () => {
  await run();
  const sealed = () => rows(own.db, 'SELECT payout_sealed FROM users ORDER BY id');
  const before = await sealed();
  const { code, text } = await run();
  expect(code).toBe(0);
  expect(text.match(/: 0 (sealed|coded) anew\n/g)).toHaveLength(SEALED_COLUMNS.length + KEYED_CODES.length);
  expect(await sealed()).toEqual(before);
});

test('a secret under the new key with one within under the old one is renewed', async () => {
  const undo = await firstRow<{ sealed: Buffer }>(own.db, 'SELECT undo_sealed AS sealed FROM mailed_tokens');
  const purpose = sealPurposes.undo(secrets.tokenId);
  await execute(own.db, 'UPDATE mailed_tokens SET undo_sealed = $1', [
    both.seal(both.open(undo!.sealed, purpose), purpose),
  ]);
  expect((await run()).text).toContain('mailed_tokens.undo_sealed: 1 sealed anew\n');
  expect(await opened(own.db, new KeyRing([current]), folder, secrets)).toEqual(allOfThem);
});

test('a row that a program changes meanwhile keeps what the program wrote', async () => {
  const newer = both.seal(Buffer.from('5555'), sealPurposes.payoutDetails(secrets.userId));
  const tally = await resealColumn(
    {
      ...own.db,
      // The program's change comes between the run's read and its write.
      async watch(statement, write) {
        if (statement.startsWith('UPDATE users'))
          await execute(own.db, 'UPDATE users SET payout_sealed = $2 WHERE id = $1', [secrets.userId, newer]);
        return write();
      },
    },
    both,
    payouts,
  );
  expect(tally).toEqual({ renewed: 0, changed: 1, unopened: [] });
  const kept = await firstRow(own.db, 'SELECT payout_sealed FROM users WHERE id = $1', [secrets.userId]);
  expect(kept).toEqual({ payoutSealed: newer });
});

test('interrupted between two rows, it goes on where it was', async () => {
  for (let more = 0; more < 4; more += 1) await secretsUnder(own.db, new KeyRing([old]), folder);
  const stop = new AbortController();
  let updates = 0;
  const stopping = {
    ...own.db,
    async watch<Result>(statement: string, write: () => Promise<Result>): Promise<Result> {
      if (statement.startsWith('UPDATE users')) updates += 1;
      if (updates === 2) stop.abort(new Error('killed'));
      return write();
    },
  };
  await expect(resealColumn(stopping, both, payouts, { signal: stop.signal, batch: 2 })).rejects.toThrow(
    'killed',
  );
  expect(await resealColumn(own.db, both, payouts, { batch: 2 })).toEqual({
    renewed: 3,
    changed: 0,
    unopened: [],
  });
});

test('what does not open is named, left as it is, and keeps nothing else from being sealed', async () => {
  const other = await secretsUnder(own.db, new KeyRing([{ id: 'lost', key: randomBytes(32) }]), folder);
  await execute(own.db, `UPDATE sent_codes SET code_sealed = '\\x00' WHERE id = $1`, [secrets.codeId]);
  const { code, text } = await run();
  expect(code).toBe(1);
  expect(text).toContain(`users.payout_sealed: 1 sealed anew, 1 do not open:\n    ${other.userId}\n`);
  expect(text).toContain(
    `kyc_documents.content_mac: 1 coded anew, 1 do not open:\n    ${other.documentId}\n`,
  );
  expect(text).toMatch(/sent_codes\.code_sealed: 0 sealed anew, 2 do not open:\n/);
  expect(text).toContain('\nKey lost: NOT ON THE RING, and needed.\n');
  expect(text).toContain('\nsent_codes.code_sealed: 1 values are not sealed bytes.\n');
});

test('it says no secret', async () => {
  const texts = [(await run('--check')).text, (await run()).text].join();
  for (const secret of [
    '4242',
    'a-sso-key',
    'an account',
    'a report',
    'JBSWY3DPEHPK3PXP',
    '123456',
    personalInfo.documentNumber,
    personalInfo.lastName,
  ])
    expect(texts).not.toContain(secret);
});

test.each([['--force'], ['--check', '--check'], ['all']])('%s: it tells how it is used', async (...args) => {
  expect(await run(...args)).toEqual({ code: 2, text: expect.stringContaining('npm run reseal') as string });
});

test('without a database or keys it ends with 2', async () => {
  setVariables({ SEALING_KEYS: 'nonsense' });
  expect((await run()).code).toBe(2);
  setVariables({ SEALING_KEYS: textOf(current), DATABASE_URL: 'postgres://nobody:none@127.0.0.1:1/none' });
  expect((await run()).code).toBe(2);
});
