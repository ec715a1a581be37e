import { Algorithm, hash, verify } from '@node-rs/argon2';
import { randomBytes } from 'node:crypto';
import { availableParallelism } from 'node:os';
import { Gate } from './gate';

/** OWASP's argon2id parameters for 19 MiB; `verify` reads those of a stored hash from the hash itself. */
const PARAMETERS = { algorithm: Algorithm.Argon2id, memoryCost: 19_456, timeCost: 2, parallelism: 1 };

/** The slow function behind passwords, so that tests can see when it runs. */
export interface Hasher {
  hash: (password: string) => Promise<string>;
  verify: (passwordHash: string, password: string) => Promise<boolean>;
}

export const argon2id: Hasher = {
  hash: (password) => hash(password, PARAMETERS),
  verify: (passwordHash, password) => verify(passwordHash, password),
};

/** Checks and hashes passwords, as many at once as there are cores, so that a flood of logins leaves the rest of the work alone. */
export class Passwords {
  private readonly gate: Gate;
  private dummyHash: Promise<string> | undefined;

  constructor(
    private readonly hasher: Hasher = argon2id,
    atOnce: number = availableParallelism(),
  ) {
    this.gate = new Gate(atOnce);
  }

  /**
   * Whether the password belongs to the hash. Without a hash (no such account, or one without a password) the answer
   * is false and takes as long: how long we think must not tell who has an account.
   */
  async matches(password: string, passwordHash: string | null): Promise<boolean> {
    const compared = passwordHash ?? (await this.dummy());
    const same = await this.gate.through(() => this.hasher.verify(compared, password));
    return same && passwordHash !== null;
  }

  /** What is kept of a new password. It waits its turn among the checks. */
  hash(password: string): Promise<string> {
    return this.gate.through(() => this.hasher.hash(password));
  }

  /** The hash of a password that nobody knows. */
  private dummy(): Promise<string> {
    this.dummyHash ??= this.hasher.hash(randomBytes(32).toString('base64'));
    return this.dummyHash;
  }
}
