import { Algorithm, hash, verify } from '@node-rs/argon2';
import { randomBytes } from 'node:crypto';
import { heavySlots } from '../../limits/cores';
import { Gate } from '../../limits/gate';

/** OWASP's argon2id parameters for 19 MiB; `verify` reads those of a stored hash from the hash itself. */
const PARAMETERS = { algorithm: Algorithm.Argon2id, memoryCost: 19_456, timeCost: 2, parallelism: 1 };

/** Chosen: at about 50 ms a check, two seconds of work for each slot; more than that is shed. */
const QUEUED_PER_SLOT = 40;
const DEADLINE_MS = 10_000;

/** The slow hash function, replaceable so that tests can observe it. */
export interface Hasher {
  hash: (password: string) => Promise<string>;
  verify: (passwordHash: string, password: string) => Promise<boolean>;
}

export const argon2id: Hasher = {
  hash: (password) => hash(password, PARAMETERS),
  verify: (passwordHash, password) => verify(passwordHash, password),
};

interface Parts {
  hasher: Hasher;
  gate: Gate;
  /** The hash of an unknown password. */
  dummyHash: () => Promise<string>;
}

/**
 * Checks and hashes passwords, a few at a time, so that a flood of logins does not slow other work down. Rejects with
 * `Busy` if too many are waiting.
 */
export class Passwords {
  constructor(
    private readonly parts: Parts,
    private readonly clientGone?: AbortSignal,
  ) {}

  /** These functions for one request: waiting work is dropped if its client has gone. */
  forRequest(clientGone: AbortSignal): Passwords {
    return new Passwords(this.parts, clientGone);
  }

  /**
   * True if the password belongs to the hash. Without a hash (no such account, or one without a password) the answer is
   * false and takes as long, so that the time does not reveal who has an account.
   */
  async matches(password: string, passwordHash: string | null): Promise<boolean> {
    const { dummyHash, gate, hasher } = this.parts;
    const compared = passwordHash ?? (await dummyHash());
    const same = await gate.through(() => hasher.verify(compared, password), this.clientGone);
    return same && passwordHash !== null;
  }

  /** The hash of a new password, queued among the checks. */
  hash(password: string): Promise<string> {
    return this.parts.gate.through(() => this.parts.hasher.hash(password), this.clientGone);
  }
}

/** Passwords of one process, `atOnce` of them at a time. */
export function createPasswords(hasher: Hasher = argon2id, atOnce = heavySlots()): Passwords {
  let dummy: Promise<string> | undefined;
  return new Passwords({
    hasher,
    gate: new Gate({ slots: atOnce, queueLength: atOnce * QUEUED_PER_SLOT, deadlineMs: DEADLINE_MS }),
    dummyHash: () => (dummy ??= hasher.hash(randomBytes(32).toString('base64'))),
  });
}
