import { randomBytes, randomUUID } from 'node:crypto';
import { mkdir, mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import sharp from 'sharp';
import { firstRow } from '../../db/sql/query';
import { startTemporal } from '../../local/temporal-server/temporal';
import { resolveTemporalCli } from '../../local/toolchain/temporal-cli';
import type { PersonalInfo } from '../../workflows/kyc/kyc.rules';
import { make } from '../support/builders/make';
import { signIn } from '../support/builders/sign-in';
import { eventually } from '../support/checks/eventually';
import { dumpOf, filesBelow, tracesIn, type Secrets } from '../support/checks/traces-of';
import { onePage } from '../support/fakes/pdf-files';
import { Cleanup } from '../support/run/cleanup';
import { startKillingWorld, type KillingWorld } from '../support/worlds/killing-world';

/** Nobody of this name has an account. */
const info: PersonalInfo = {
  ...{ firstName: 'Wilhelmina', lastName: 'Quastenflosser', middleName: 'Xanthippe' },
  ...{ dateOfBirth: '1967-03-19', nationality: 'IS', documentNumber: 'ZQX77K3M91' },
  ...{ documentType: 'PASSPORT', documentIssueDate: '2021-04-17', documentExpiryDate: '2033-04-16' },
  address: {
    ...{ country: 'IS', region: 'Vesturbyggd', city: 'Patreksfjordur', street: 'Zwiebelturmgasse' },
    ...{ building: '7719', apartment: null, postalCode: 'PX 450-88' },
  },
};
const NOTE = 'Ohrlaeppchen angewachsen, sonst passend.';
const MESSAGE = 'Bitte ohne Spiegelung ablichten.';
const PDF_TEXT = 'Gehaltsabrechnung-Quastenflosser';
/** Too long for a number, so that readers of PDFs warn about it. */
const PDF_NUMBER = '98765432101234567890';

const of = ({ firstName, lastName, middleName, dateOfBirth, documentNumber, address }: PersonalInfo) => ({
  ...{ firstName, lastName, middleName: middleName!, dateOfBirth, documentNumber },
  ...{ street: address.street, city: address.city, postalCode: address.postalCode },
});
/** A part of a file that nothing else has. */
const partOf = (file: Buffer): Buffer =>
  file.subarray(Math.floor(file.length / 2), Math.floor(file.length / 2) + 48);

const cleanup = new Cleanup();
let world: KillingWorld;
let folder: string;
let kycId: string;
/** The verification as a reviewer sees it in the end. */
let shown: string;
/** Data of the person, and parts of the files as sent and as reviewers got them. */
const secrets: Record<string, string | Buffer> = {
  ...of(info),
  'text of the PDF': PDF_TEXT,
  'number of the PDF': PDF_NUMBER,
};
/** People's words, which the database has sealed. */
const words: Secrets = { 'note of the reviewer': NOTE };
const messages: Secrets = { 'message of the reviewer': MESSAGE };

const noise = (): Promise<Buffer> =>
  sharp(randomBytes(320 * 240 * 3), { raw: { width: 320, height: 240, channels: 3 } })
    .jpeg()
    .toBuffer();

type Person = { token: string };
const call = async (
  { token }: Person,
  method: 'get' | 'post',
  path: string,
  body?: object,
): Promise<
  Record<string, never> & { documents: { id: string; type: string }[]; id: string; status: string }
> => {
  const sent = world.http[method](`/api/v1${path}`).auth(token, { type: 'bearer' });
  const answer = await (method === 'post'
    ? sent.set('idempotency-key', randomUUID()).send(body ?? {})
    : sent);
  if (answer.status >= 300) throw new Error(`${path}: ${answer.status} ${JSON.stringify(answer.body)}`);
  return answer.body.data;
};

async function upload({ token }: Person, type: string, file: Buffer, contentType: string): Promise<void> {
  secrets[`file of ${type}`] = partOf(file);
  const answer = await world.http
    .post('/api/v1/kyc/documents')
    .auth(token, { type: 'bearer' })
    .field('type', type)
    .attach('file', file, { filename: `${info.lastName}.${contentType.split('/')[1]}`, contentType });
  if (answer.status !== 201) throw new Error(`${type}: ${answer.status} ${JSON.stringify(answer.body)}`);
}

/** The file and its thumbnail as a reviewer gets them. */
async function look({ token }: Person, { id, type }: { id: string; type: string }): Promise<void> {
  for (const part of ['file', 'thumbnail']) {
    const { status, body } = await world.http
      .get(`/api/v1/admin/kyc/${kycId}/documents/${id}/${part}`)
      .auth(token, { type: 'bearer' })
      .buffer(true)
      .parse((response, done) => {
        const chunks: Buffer[] = [];
        response.on('data', (chunk: Buffer) => chunks.push(chunk));
        response.on('end', () => done(null, Buffer.concat(chunks)));
      });
    expect(status).toBe(200);
    secrets[`${part} of ${type} as shown`] = partOf(body as Buffer);
  }
}

/** The real programs take one verification from its start to the approval, and are stopped. */
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'leaks-'));
  cleanup.add(() => rm(folder, { recursive: true, force: true }));
  const [logDir, temporary] = [join(folder, 'logs'), join(folder, 'temporary')];
  for (const made of [logDir, temporary, join(folder, 'temporal')]) await mkdir(made);
  const log = (): void => undefined;
  const dbFile = join(folder, 'temporal', 'temporal.db');
  const temporal = await startTemporal({ cli: await resolveTemporalCli(log), dbFile, log });
  cleanup.add(temporal.stop);
  const variables = {
    ...{ LOG_LEVEL: 'trace', TMPDIR: temporary },
    ...{ BLOB_DIR: join(folder, 'blobs'), MAIL_DIR: join(folder, 'mails') },
  };
  world = await startKillingWorld({ logDir, temporalAddress: temporal.address, variables });
  cleanup.add(world.teardown);
  const account = await make.user(world.db, { firstName: 'Ada', lastName: 'Lovelace' });
  const user = { token: await signIn(world, account) };
  const admin = { token: await signIn(world, await make.admin(world.db)) };

  kycId = (await call(user, 'post', '/users/kyc', { personalInfo: info, requestedLevel: 'ENHANCED' })).id;
  await upload(user, 'PASSPORT', await noise(), 'image/jpeg');
  await upload(user, 'SELFIE', await noise(), 'image/jpeg');
  await upload(user, 'ADDRESS_PROOF', await noise(), 'image/jpeg');
  await upload(
    user,
    'INCOME_PROOF',
    onePage({ catalog: `/DocNo ${PDF_NUMBER}`, drawing: `% ${PDF_TEXT}\n1 0 0 rg 50 50 200 300 re f` }),
    'application/pdf',
  );
  await call(user, 'post', '/users/kyc/submit');
  await call(admin, 'get', '/admin/kyc/queue');
  await call(admin, 'post', `/admin/kyc/${kycId}/claim`);
  for (const document of (await call(admin, 'get', `/admin/kyc/${kycId}`)).documents)
    await look(admin, document);
  await call(admin, 'post', `/admin/kyc/${kycId}/request-info`, { message: MESSAGE, documents: ['SELFIE'] });
  await call(user, 'post', '/users/kyc', { personalInfo: info, requestedLevel: 'ENHANCED' });
  await upload(user, 'SELFIE', await noise(), 'image/jpeg');
  await call(user, 'get', '/users/kyc');
  await call(user, 'get', '/users/me/export');
  await call(user, 'post', '/users/kyc/submit');
  await call(admin, 'post', `/admin/kyc/${kycId}/claim`);
  await call(admin, 'post', `/admin/kyc/${kycId}/approve`, { level: 'ENHANCED', note: NOTE });
  expect((await call(user, 'get', '/users/kyc')).status).toBe('APPROVED');
  shown = JSON.stringify(await call(admin, 'get', `/admin/kyc/${kycId}`));
  await eventually(async () =>
    expect(
      await firstRow(
        world.db,
        `SELECT count(*) FILTER (WHERE status = 'WAITING')::int AS waiting, count(*)::int > 0 AS mailed
           FROM outbox_messages`,
      ),
    ).toEqual({ waiting: 0, mailed: true }),
  );
  await world.temporal.workflow.getHandle(`kyc-review:${kycId}`).result();
  await Promise.all([world.api.end('SIGTERM'), world.worker.end('SIGTERM')]);
});
afterAll(() => cleanup.run());

test('no table of the database has personal data or a file, outbox and audit trail included', async () => {
  const dump = await dumpOf(world.owner);
  for (const table of [
    'kyc_verifications',
    'kyc_documents',
    'outbox_messages',
    'audit_records',
    'idempotency_keys',
  ])
    expect(dump.get(table)!.length).toBeGreaterThan(100);
  const found = [...dump].flatMap(([table, bytes]) =>
    tracesIn(bytes, secrets).map((name) => `${table}: ${name}`),
  );
  expect(found).toEqual([]);
});

test('what reviewers wrote is sealed in the database, outbox and stored answers included, and read in the history', async () => {
  const written = { ...words, ...messages };
  const found = [...(await dumpOf(world.owner))].flatMap(([table, bytes]) =>
    tracesIn(bytes, written).map((name) => `${table}: ${name}`),
  );
  expect(found).toEqual([]);
  expect(tracesIn(Buffer.from(shown), written)).toEqual(Object.keys(written));
});

/** The bytes of all files of a part, of which one must have `known`: the search finds what is there. */
async function searched(part: string, known: string): Promise<Buffer> {
  const bytes = Buffer.concat((await filesBelow(join(folder, part))).map((file) => file.bytes));
  expect(tracesIn(bytes, { known })).toEqual(['known']);
  return bytes;
}

test("Temporal's database has ids only: no personal data, no file, no words", async () => {
  const bytes = await searched('temporal', `kyc-review:${kycId}`);
  expect(bytes.includes('approveVerification')).toBe(true);
  expect(tracesIn(bytes, { ...secrets, ...words, ...messages })).toEqual([]);
});

test('the logs of API and worker have ids only', async () => {
  for (const part of ['api', 'worker'])
    expect((await readFile(join(folder, 'logs', `${part}.log`))).length).toBeGreaterThan(0);
  const bytes = await searched('logs', kycId);
  expect(tracesIn(bytes, { ...secrets, ...words, ...messages })).toEqual([]);
});

test('blobs are sealed, and no temporary file is left', async () => {
  const blobs = await filesBelow(join(folder, 'blobs'));
  expect(blobs.length).toBeGreaterThanOrEqual(9);
  const found = blobs.flatMap(({ path, bytes }) =>
    tracesIn(bytes, secrets).map((name) => `${path}: ${name}`),
  );
  expect(found).toEqual([]);
  const left = await filesBelow(join(folder, 'temporary'));
  expect(left.flatMap(({ bytes }) => tracesIn(bytes, { ...secrets, ...words }))).toEqual([]);
});

test('mails have no personal data and no note', async () => {
  const bytes = await searched('mails', 'Ada');
  expect(tracesIn(bytes, { ...secrets, ...words })).toEqual([]);
});
