import { setTimeout as pause } from 'node:timers/promises';
import sharp from 'sharp';
import type { Db } from '../../../db/sql/query';
import { make } from '../../support/builders/make';
import { personalInfo } from '../../support/builders/kyc/personal-info';
import { signIn } from '../../support/builders/sign-in';
import type { Client, Person } from '../requests/client';
import type { Random } from '../random';

/** Somebody whose identity is not verified, and the administrator who reviews it. */
interface Review {
  newcomer: Client;
  staff: Client;
  random: Random;
}

/** A person without a verification, signed in. */
export async function newcomer(db: Db): Promise<Person> {
  const user = await make.user(db);
  return { id: user.id, token: await signIn({ db }, user) };
}

const BOUNDARY = 'boundary-of-the-form';
let picture: Promise<Buffer> | undefined;

/** A form with a small picture of this type. */
async function formOf(type: string): Promise<Buffer> {
  picture ??= sharp({ create: { width: 64, height: 48, channels: 3, background: 'teal' } })
    .jpeg()
    .toBuffer();
  const part = (header: string): string =>
    `--${BOUNDARY}\r\ncontent-disposition: form-data; name=${header}\r\n\r\n`;
  return Buffer.concat([
    Buffer.from(`${part('"type"')}${type}\r\n${part('"file"; filename="a.jpg"')}`),
    await picture,
    Buffer.from(`\r\n--${BOUNDARY}--\r\n`),
  ]);
}

/**
 * A newcomer states who they are, uploads documents and submits; an administrator claims the case, perhaps releases it or
 * asks for a new selfie, which is sent, and decides.
 */
export async function provesIdentity(review: Review): Promise<void> {
  const { newcomer, random } = review;
  const started = await newcomer.send({
    operation: 'startKyc',
    method: 'POST',
    path: '/api/v1/users/kyc',
    body: { personalInfo, requestedLevel: 'STANDARD' },
    keyed: true,
  });
  const kycId = started.answer?.body.data?.['id'];
  if (typeof kycId !== 'string') return;
  for (const type of ['PASSPORT', 'SELFIE']) if (!(await isUploaded(newcomer, kycId, type))) return;
  if (random.chance(0.1)) return; // Left unfinished.
  if (!(await isSubmitted(newcomer, kycId))) return;
  await pause(random.int(0, 500));
  await reviews(review, kycId);
}
/** MAX_ATTEMPTS after lost answers means that it is there. */
async function isUploaded(newcomer: Client, kycId: string, type: string): Promise<boolean> {
  const { outcome, code } = await newcomer.send({
    operation: 'uploadDocument',
    method: 'POST',
    path: '/api/v1/kyc/documents',
    body: await formOf(type),
    headers: { 'content-type': `multipart/form-data; boundary=${BOUNDARY}` },
    kycId,
  });
  return outcome === 'ok' || code === 'MAX_ATTEMPTS';
}

/** Submits, for the first time or after a reviewer asked for more. */
async function isSubmitted(newcomer: Client, kycId: string): Promise<boolean> {
  const path = '/api/v1/users/kyc/submit';
  const request = { operation: 'submitKyc', method: 'POST', path, body: {}, keyed: true, kycId } as const;
  return (await newcomer.send(request)).outcome === 'ok';
}

const VERBS = {
  claimKyc: 'claim',
  releaseKyc: 'release',
  requestKycInfo: 'request-info',
  approveKyc: 'approve',
  rejectKyc: 'reject',
  allowResubmission: 'allow-resubmission',
} as const;

/** The administrator's part, and the newcomer's answer to a request for more. */
async function reviews({ newcomer, staff, random }: Review, kycId: string): Promise<void> {
  const decide = async (operation: keyof typeof VERBS, body: object = {}): Promise<boolean> => {
    const path = `/api/v1/admin/kyc/${kycId}/${VERBS[operation]}`;
    const { outcome } = await staff.send({ operation, method: 'POST', path, body, keyed: true, kycId });
    return outcome === 'ok';
  };
  const approve = () => decide('approveKyc', { level: 'STANDARD', note: 'All is well.' });
  const reject = () => decide('rejectKyc', { reason: 'DOCUMENT_BLURRY', allowResubmission: false });
  const ask = () => decide('requestKycInfo', { message: 'Too dark.', documents: ['SELFIE'] });

  if (random.chance(0.7) && (await decide('claimKyc')) && random.chance(0.3)) {
    const released = decide('releaseKyc');
    if (random.chance(0.5)) await released;
    else {
      await Promise.all([released, approve()]);
      return;
    }
  }
  if (random.chance(0.4)) {
    const [isAsked] = await Promise.all([ask(), ...(random.chance(0.3) ? [approve()] : [])]);
    if (!isAsked || random.chance(0.1)) return; // Decided, or never answered.
    if (!(await isUploaded(newcomer, kycId, 'SELFIE')) || !(await isSubmitted(newcomer, kycId))) return;
  }
  if (random.chance(0.2)) {
    if ((await reject()) && random.chance(0.5)) await decide('allowResubmission');
  } else if (random.chance(0.4)) await Promise.all([approve(), approve(), reject()]);
  else await approve();
}
