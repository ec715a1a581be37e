import { randomBytes } from 'node:crypto';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import sharp from 'sharp';
import { diskBlobs } from '../../db/blobs/disk';
import { removeLeftBlobs } from '../../db/blobs/discarded.writes';
import { execute, rows } from '../../db/sql/query';
import { placeOf } from '../db/blobs/store';
import { make } from '../support/builders/make';
import { personalInfo } from '../support/builders/kyc/personal-info';
import { signIn } from '../support/builders/sign-in';
import { held, waiting } from '../support/checks/held-locks';
import { violations } from '../support/checks/violations';
import { onePage, stream } from '../support/fakes/pdf-files';
import { ownKillingWorld } from '../support/worlds/killing-world';
import { testVariables } from '../support/worlds/variables';

const MOST_BYTES = 10 * 1024 * 1024;
const MEBIBYTE_KB = 1024;
/** Of the 768 MiB that docker-compose.yml gives an API, children included; the rest is for the other decoder. */
const MOST_KB = 512 * MEBIBYTE_KB;

const world = ownKillingWorld();

/** Somebody whose verification has begun. */
async function applicant() {
  const user = await make.user(world.db);
  const token = await signIn(world, user);
  const begun = await world.http
    .post('/api/v1/users/kyc')
    .auth(token, { type: 'bearer' })
    .send({ personalInfo });
  expect(begun.status).toBe(201);
  const upload = (bytes: Buffer, headers: Record<string, string> = {}) =>
    world.http
      .post('/api/v1/kyc/documents')
      .auth(token, { type: 'bearer' })
      .set(headers)
      .field('type', 'PASSPORT')
      .attach('file', bytes, 'passport')
      .then(({ status, body }) => `${status} ${body.error?.code ?? ''}`.trim());
  const download = (id: string): Promise<Buffer> =>
    world.http
      .get(`/api/v1/users/kyc/documents/${id}`)
      .auth(token, { type: 'bearer' })
      .buffer(true)
      .parse((response, done) => {
        const chunks: Buffer[] = [];
        response.on('data', (chunk: Buffer) => chunks.push(chunk));
        response.on('end', () => done(null, Buffer.concat(chunks)));
      })
      .then(({ body }) => body as Buffer);
  return { user, upload, download };
}

const statusOf = (pid: number) => readFileSync(`/proc/${pid}/status`, 'utf8');
/** 0 for a process that is just ending. */
const kilobytes = (pid: number, name: 'VmHWM' | 'VmRSS') =>
  Number(new RegExp(`${name}:\\s+(\\d+)`).exec(statusOf(pid))?.[1] ?? 0);
/** The memory of the process that decodes; 0 without one. */
function decoderKb(): number {
  for (const name of readdirSync('/proc').filter((entry) => /^\d+$/.test(entry))) {
    try {
      if (statusOf(Number(name)).includes(`\nPPid:\t${world.api.pid}\n`))
        return kilobytes(Number(name), 'VmHWM');
    } catch {
      // It has ended meanwhile.
    }
  }
  return 0;
}

/** A picture and a PDF of exactly 10 MiB. */
async function largest(): Promise<{ picture: Buffer; pdf: Buffer }> {
  const [width, height] = [2_600, 1_900];
  const noise = sharp(randomBytes(width * height * 3), { raw: { width, height, channels: 3 } });
  const jpeg = await noise.jpeg({ quality: 80 }).toBuffer();
  const padded = (length: number) => onePage({ more: [stream('x'.repeat(length))] });
  return {
    picture: Buffer.concat([jpeg, Buffer.alloc(MOST_BYTES - jpeg.length)]),
    pdf: padded(MOST_BYTES - (padded(MOST_BYTES).length - MOST_BYTES)),
  };
}

test('files of 10 MiB pass, one byte more does not, and a hundred uploads do not make the API grow', async () => {
  const { picture, pdf } = await largest();
  expect([picture.length, pdf.length]).toEqual([MOST_BYTES, MOST_BYTES]);
  const { upload } = await applicant();
  expect(await upload(picture)).toBe('201');
  expect(await upload(pdf)).toBe('201');
  expect(await upload(Buffer.concat([pdf, Buffer.from('\n')]))).toBe('413 FILE_TOO_LARGE');

  const users = await Promise.all(Array.from({ length: 20 }, () => applicant()));
  const before = kilobytes(world.api.pid, 'VmRSS');
  let most = 0;
  const watching = setInterval(() => {
    most = Math.max(most, kilobytes(world.api.pid, 'VmRSS') + decoderKb());
  }, 100);
  const answers = new Map<string, number>();
  // A hundred files of 10 MiB, twenty at a time; every third is one byte too large.
  for (let round = 0; round < 5; round++) {
    const sent = users.map(({ upload: send }, at) =>
      send(at % 3 === 0 ? Buffer.concat([picture, Buffer.alloc(1)]) : at % 3 === 1 ? picture : pdf),
    );
    for (const answer of await Promise.all(sent)) answers.set(answer, (answers.get(answer) ?? 0) + 1);
  }
  clearInterval(watching);
  const known = ['201', '400 MAX_ATTEMPTS', '413 FILE_TOO_LARGE', '503 SERVICE_UNAVAILABLE'];
  expect([...answers.keys()].filter((answer) => !known.includes(answer))).toEqual([]);
  // Four fit into the memory for documents at a time.
  expect(answers.get('201')).toBeGreaterThan(3);
  expect(answers.get('503 SERVICE_UNAVAILABLE')).toBeGreaterThan(0);
  expect(most).toBeGreaterThan(before);
  expect(most).toBeLessThan(MOST_KB);
  expect(await (await applicant()).upload(picture)).toBe('201');
});

const folder = testVariables['BLOB_DIR']!;
const isStored = (name: string): boolean => existsSync(placeOf(folder, name));
const discarded = async (): Promise<string[]> =>
  (await rows<{ name: string }>(world.db, 'SELECT name FROM discarded_blobs')).map(({ name }) => name);
const documentsOf = (userId: string) =>
  rows<{ id: string; originalBlob: string; fileBlob: string; thumbnailBlob: string }>(
    world.db,
    'SELECT id, original_blob, file_blob, thumbnail_blob FROM kyc_documents WHERE user_id = $1',
    [userId],
  );
const counted = (userId: string) =>
  rows(world.db, 'SELECT type, uploads FROM kyc_document_tries WHERE user_id = $1', [userId]);

test('an API killed between the files of a document and its row: neither row nor count, its files are swept, and the upload sent again is stored once', async () => {
  const { user, upload, download } = await applicant();
  const bytes = await sharp({ create: { width: 60, height: 40, channels: 3, background: 'navy' } })
    .jpeg()
    .toBuffer();
  const key = { 'Idempotency-Key': `passport of ${user.id}` };
  const before = await discarded();

  const lock = await held(world.owner, 'LOCK TABLE kyc_documents IN SHARE MODE');
  const unanswered = expect(upload(bytes, key)).rejects.toThrow();
  await waiting(world.db, 1);
  await world.api.kill();
  await unanswered;
  await lock.release();
  await waiting(world.db, 0);
  expect([await documentsOf(user.id), await counted(user.id)]).toEqual([[], []]);
  const left = (await discarded()).filter((name) => !before.includes(name));
  expect(left.map(isStored)).toEqual([true, true, true]);

  await world.api.start();
  // Half a minute later the claim of the request counts as abandoned.
  await execute(
    world.db,
    `UPDATE idempotency_keys SET claimed_at = claimed_at - interval '31 seconds' WHERE key = $1`,
    [key['Idempotency-Key']],
  );
  expect([await upload(bytes, key), await upload(bytes, key)]).toEqual(['201', '201']);
  const documents = await documentsOf(user.id);
  expect(documents).toHaveLength(1);
  expect(await counted(user.id)).toEqual([{ type: 'PASSPORT', uploads: 1 }]);

  await removeLeftBlobs(world.db, diskBlobs(folder), new Date(Date.now() + 61 * 60_000));
  expect(left.map(isStored)).toEqual([false, false, false]);
  expect(await discarded()).toEqual([]);
  const [{ id, originalBlob, fileBlob, thumbnailBlob }] = documents as [(typeof documents)[number]];
  expect([originalBlob, fileBlob, thumbnailBlob].map(isStored)).toEqual([true, true, true]);
  expect((await download(id)).equals(bytes)).toBe(true);
  expect(await violations(world.db)).toEqual([]);
});
