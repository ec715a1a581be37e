import { createCipheriv, createDecipheriv, createHmac, hkdfSync, randomBytes } from 'node:crypto';

/** A key that wraps other keys, under the name that sealed bytes refer to it by. */
export interface SealingKey {
  id: string;
  /** 32 bytes. */
  key: Buffer;
}

/** A message authentication code, in hex, and the name of its key. */
export interface Mac {
  keyId: string;
  mac: string;
}

const VERSION = 1;
const CIPHER = 'aes-256-gcm';
const KEY_BYTES = 32;
const NONCE_BYTES = 12;
const TAG_BYTES = 16;
const WRAPPED_BYTES = NONCE_BYTES + KEY_BYTES + TAG_BYTES;

/** Sealed bytes were changed, belong to something else, or their key is not on the ring. */
export class Unsealable extends Error {}

/**
 * Secrets at rest: AES-256-GCM under a random key of its own for each secret, which is wrapped by the ring's first key
 * (envelope encryption). Every key of the ring opens, so keys are changed by putting a new one in front.
 *
 * The owner of a secret is part of the seal: it opens only for the same `purpose`, such as `totp:<user id>`, so that
 * sealed bytes copied to another row do not open there.
 */
export class KeyRing {
  private readonly first: SealingKey;
  private readonly keys: ReadonlyMap<string, Buffer>;

  /** Throws unless each key has 32 bytes and a name of its own. */
  constructor(keys: readonly [SealingKey, ...SealingKey[]]) {
    [this.first] = keys;
    this.keys = new Map(keys.map(({ id, key }) => [id, key]));
    if (this.keys.size !== keys.length) throw new Error('Two sealing keys have the same name.');
    if (keys.some(({ key }) => key.length !== KEY_BYTES)) throw new Error('A sealing key has 32 bytes.');
  }

  seal(secret: Uint8Array, purpose: string): Buffer {
    const id = Buffer.from(this.first.id);
    const head = Buffer.concat([Buffer.from([VERSION, id.length]), id]);
    const bound = boundTo(head, purpose);
    const own = randomBytes(KEY_BYTES);
    return Buffer.concat([head, encrypt(this.first.key, own, bound), encrypt(own, secret, bound)]);
  }

  /**
   * A keyed hash to recognise the same bytes by: readers of it cannot test guesses. It changes with the ring's first
   * key.
   */
  fingerprint(bytes: Uint8Array, purpose: string): string {
    const key = Buffer.from(hkdfSync('sha256', this.first.key, '', `fingerprint:${purpose}`, KEY_BYTES));
    return createHmac('sha256', key).update(bytes).digest('hex');
  }

  /** Authenticates bytes, under a key derived for the purpose from the ring's first key. */
  mac(bytes: Uint8Array, purpose: string): Mac {
    return { keyId: this.first.id, mac: macOf(this.first.key, bytes, purpose) };
  }

  /** The code of the same bytes under the key of this name; null when it is not on the ring. */
  macUnder(keyId: string, bytes: Uint8Array, purpose: string): string | null {
    const key = this.keys.get(keyId);
    return key ? macOf(key, bytes, purpose) : null;
  }

  /** Tells whether a key of this name is on the ring. */
  has(keyId: string): boolean {
    return this.keys.has(keyId);
  }

  /** Throws Unsealable. */
  open(sealed: Uint8Array, purpose: string): Buffer {
    const bytes = Buffer.from(sealed);
    const [version, idLength = 0] = bytes;
    const headLength = 2 + idLength;
    if (version !== VERSION || bytes.length < headLength + WRAPPED_BYTES + NONCE_BYTES + TAG_BYTES)
      throw new Unsealable('These are no sealed bytes.');
    const head = bytes.subarray(0, headLength);
    const key = this.keys.get(head.subarray(2).toString());
    if (!key) throw new Unsealable('The key that sealed this is not on the ring.');
    const bound = boundTo(head, purpose);
    const own = decrypt(key, bytes.subarray(headLength, headLength + WRAPPED_BYTES), bound);
    return decrypt(own, bytes.subarray(headLength + WRAPPED_BYTES), bound);
  }
}

const macOf = (key: Buffer, bytes: Uint8Array, purpose: string): string =>
  createHmac('sha256', Buffer.from(hkdfSync('sha256', key, '', `mac:${purpose}`, KEY_BYTES)))
    .update(bytes)
    .digest('hex');

const boundTo = (head: Buffer, purpose: string): Buffer => Buffer.concat([head, Buffer.from(purpose)]);

function encrypt(key: Buffer, plain: Uint8Array, bound: Buffer): Buffer {
  const nonce = randomBytes(NONCE_BYTES);
  const cipher = createCipheriv(CIPHER, key, nonce, { authTagLength: TAG_BYTES }).setAAD(bound);
  return Buffer.concat([nonce, cipher.update(plain), cipher.final(), cipher.getAuthTag()]);
}

function decrypt(key: Buffer, bytes: Buffer, bound: Buffer): Buffer {
  const decipher = createDecipheriv(CIPHER, key, bytes.subarray(0, NONCE_BYTES), { authTagLength: TAG_BYTES })
    .setAAD(bound)
    .setAuthTag(bytes.subarray(-TAG_BYTES));
  try {
    return Buffer.concat([decipher.update(bytes.subarray(NONCE_BYTES, -TAG_BYTES)), decipher.final()]);
  } catch (error) {
    throw new Unsealable('The sealed bytes were changed, or belong to something else.', { cause: error });
  }
}
