import type { Test } from 'supertest';
import type { Person, Scene } from './scene';

/** What makes a request to an endpoint succeed. What is left out is as the document's example has it. */
export interface Arranged {
  params?: Record<string, string>;
  query?: Record<string, string>;
  body?: Record<string, unknown>;
  /** Sends something else than JSON. */
  sending?: (request: Test) => Test;
}

export type Arrange = (scene: Scene, as: Person) => Promise<Arranged> | Arranged;
