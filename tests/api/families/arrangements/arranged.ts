import type { Test } from 'supertest';
import type { Ground, Person } from '../../../support/resources/ground';

/** The parts of a request that succeeds; the rest is as in the document's example. */
export interface Arranged {
  params?: Record<string, string>;
  query?: Record<string, string>;
  body?: Record<string, unknown>;
  /** Sends another body than JSON. */
  sending?: (request: Test) => Test;
}

/** The parts that no schema can say; `params` names what was made for the path. */
export type Arrange = (
  ground: Ground,
  as: Person,
  params: Readonly<Record<string, string>>,
) => Promise<Arranged> | Arranged;
