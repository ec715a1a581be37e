import { randomBytes } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import sharp from 'sharp';
import { make } from '../support/builders/make';
import { personalInfo } from '../support/builders/kyc/personal-info';
import { signIn } from '../support/builders/sign-in';
import { onePage, stream } from '../support/fakes/pdf-files';
import { ownKillingWorld } from '../support/worlds/killing-world';

const MOST_BYTES = 10 * 1024 * 1024;
const MEBIBYTE_KB = 1024;
/** Of the 768 MiB that docker-compose.yml gives an API, children included; the rest is for the other decoder. */
const MOST_KB = 512 * MEBIBYTE_KB;

const world = ownKillingWorld();

/** Somebody whose verification has begun, and how they upload. */
async function applicant() {
  const token = await signIn(world, await make.user(world.db));
  const begun = await world.http
    .post('/api/v1/users/kyc')
    .auth(token, { type: 'bearer' })
    .send({ personalInfo });
  expect(begun.status).toBe(201);
  return (bytes: Buffer) =>
    world.http
      .post('/api/v1/kyc/documents')
      .auth(token, { type: 'bearer' })
      .field('type', 'PASSPORT')
      .attach('file', bytes, 'passport')
      .then(({ status, body }) => `${status} ${body.error?.code ?? ''}`.trim());
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
  const upload = await applicant();
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
    const sent = users.map((send, at) =>
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
  expect(await (await applicant())(picture)).toBe('201');
});
