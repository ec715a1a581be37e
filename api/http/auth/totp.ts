import { randomBytes } from 'node:crypto';
import { totp } from 'speakeasy';
import { base32 } from './base32';

/** RFC 4226 recommends 160 bits. */
const SECRET_BYTES = 20;
const STEP_SECONDS = 30;
/** Clocks differ: the codes of the step before and of the step after are taken too. */
const WINDOW = 1;

/**
 * Time-based one-time passwords (RFC 6238) as every authenticator app makes them. A code proves something only the
 * first time: whoever takes one keeps its step, and takes no code of that step or of an older one again.
 */
export class TotpService {
  constructor(
    private readonly issuer: string,
    private readonly now: () => number = Date.now,
  ) {}

  newSecret(): Buffer {
    return randomBytes(SECRET_BYTES);
  }

  /** What an app reads from a QR code to know the secret, and whose it is. */
  uri(secret: Buffer, accountName: string): string {
    const label = [this.issuer, accountName].map(encodeURIComponent).join(':');
    const query = [
      `secret=${base32(secret)}`,
      `issuer=${encodeURIComponent(this.issuer)}`,
      'algorithm=SHA1',
      'digits=6',
      `period=${STEP_SECONDS}`,
    ];
    return `otpauth://totp/${label}?${query.join('&')}`;
  }

  /** The step whose code this is, counted in 30 s since 1970; null for what is no code of about now. */
  stepOf(secret: Buffer, code: string): number | null {
    // Codes could be reckoned from any secret, also from one that was lost.
    if (secret.length !== SECRET_BYTES) throw new Error(`A secret has ${SECRET_BYTES} bytes.`);
    // The library reads a number off the beginning of whatever it is given.
    if (!/^\d{6}$/.test(code)) return null;
    const current = Math.floor(this.now() / 1000 / STEP_SECONDS);
    const found = totp.verifyDelta({
      secret: secret.toString('hex'),
      encoding: 'hex',
      token: code,
      time: current * STEP_SECONDS,
      step: STEP_SECONDS,
      window: WINDOW,
    });
    return found ? current + found.delta : null;
  }
}
