import { timingSafeEqual } from 'node:crypto';
import { transfersSignature } from '../../../activities/providers/payments/sandbox/webhook';

/** The address of the sandbox's page of transfers, which carries the permission to use it. */
export const transfersAddress = (publicUrl: string, secret: string): string =>
  `${publicUrl.replace(/\/+$/, '')}/sandbox/transfers?signature=${transfersSignature(secret).toString('base64url')}`;

/** True if the page's address was signed with one of these secrets. */
export function isTransfersAddress(signature: unknown, secrets: readonly string[]): boolean {
  if (typeof signature !== 'string') return false;
  const offered = Buffer.from(signature, 'base64url');
  const isSigned = secrets.map((secret) => {
    const expected = transfersSignature(secret);
    return offered.length === expected.length && timingSafeEqual(offered, expected);
  });
  return isSigned.includes(true);
}
