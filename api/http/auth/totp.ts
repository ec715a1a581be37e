import { randomBytes } from 'node:crypto';
import { totp } from 'speakeasy';
import { base32 } from './base32';

/** RFC 4226 recommends 160 bits. */
const SECRET_BYTES = 20;
const STEP_SECONDS = 30;
/** Clocks differ: the codes of the previous and of the next step are accepted too. */
const WINDOW = 1;

/**
 * Time-based one-time passwords (RFC 6238) as authenticator apps make them. A code must be accepted only once: the caller
 * stores its step, and accepts no code of that step or of an older one again.
 */
export class TotpService {
  constructor(
    private readonly issuer: string,
    private readonly now: () => number = Date.now,
  ) {}

  newSecret(): Buffer {
    return randomBytes(SECRET_BYTES);
  }

  /** The content of the QR code: the secret and its account. */
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

  /** The step of a code, in units of 30 s since 1970; null if the code is not of the current time. */
  stepOf(secret: Buffer, code: string): number | null {
    // The library computes codes from any secret, also from a truncated one.
    if (secret.length !== SECRET_BYTES) throw new Error(`A secret has ${SECRET_BYTES} bytes.`);
    // The library accepts any text that begins with a number.
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
