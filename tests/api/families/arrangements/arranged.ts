import type { Test } from 'supertest';
import type { Person, FamilyWorld } from './family-world';

/** The parts of a request that succeeds; the rest is as in the document's example. */
export interface Arranged {
  params?: Record<string, string>;
  query?: Record<string, string>;
  body?: Record<string, unknown>;
  /** Sends another body than JSON. */
  sending?: (request: Test) => Test;
}

export type Arrange = (family: FamilyWorld, as: Person) => Promise<Arranged> | Arranged;
