import type { Resource } from '../../../api/http/request/ids/identified';
import type { Ground, Person } from './ground';

/** A resource that was made: what identifies it, and the fields of a body that fit it, such as its amount. */
export interface Made {
  id: string;
  /** Undefined where a body must lack the field. */
  fields: Readonly<Record<string, unknown>>;
}

/** The people of a request, and all that it has named. */
export interface Place {
  /** Sends the request. */
  caller: Person;
  /** The owner of what is made: the caller, or for an administrator one other person, the same whenever it is asked. */
  owner: () => Promise<Person>;
  /** All that the same request has named already, such as the product of a variant. */
  within: Partial<Record<Resource, string>>;
}

/** Another person, who is made when somebody first asks. */
export function another(ground: Pick<Ground, 'person'>): Place['owner'] {
  let person: Promise<Person> | undefined;
  return () => (person ??= ground.person());
}

/** Makes a resource; gives its id, or also the fields that fit it. */
export type Make = (ground: Ground, place: Place) => Promise<string | Made>;

/** The ways to make one, by state; `any` where every state will do. */
export type Makes = Readonly<Record<string, Make>>;
