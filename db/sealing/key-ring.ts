import { createHmac, hkdfSync, randomBytes } from 'node:crypto';
import { decrypt, encrypt, KEY_BYTES, NONCE_BYTES, TAG_BYTES, Unsealable } from './cipher';

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
const WRAPPED_BYTES = NONCE_BYTES + KEY_BYTES + TAG_BYTES;

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

  /** The name of the key that seals. */
  get sealsWith(): string {
    return this.first.id;
  }

  /** The names of all keys, the one that seals first. */
  get keyIds(): string[] {
    return [...this.keys.keys()];
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

  /** This ring once with each of its keys first: together they make the codes that any of them ever made. */
  withEachFirst(): KeyRing[] {
    const all = [...this.keys].map(([id, key]) => ({ id, key }));
    return all.map((first) => new KeyRing([first, ...all.filter(({ id }) => id !== first.id)]));
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

/** The name of the key that sealed these bytes; null if they are no sealed bytes. */
export function keyIdOf(sealed: Buffer): string | null {
  const [version, idLength = 0] = sealed;
  return version === VERSION && sealed.length > 2 + idLength
    ? sealed.subarray(2, 2 + idLength).toString()
    : null;
}

const macOf = (key: Buffer, bytes: Uint8Array, purpose: string): string =>
  createHmac('sha256', Buffer.from(hkdfSync('sha256', key, '', `mac:${purpose}`, KEY_BYTES)))
    .update(bytes)
    .digest('hex');

const boundTo = (head: Buffer, purpose: string): Buffer => Buffer.concat([head, Buffer.from(purpose)]);
