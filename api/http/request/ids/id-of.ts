import { uuid } from '../fields';
import { identifying, inWords, type Resource } from './identified';

/** The id of a resource, such as 'bank file', which succeeds in these states: in any if none is stated. */
export const idOf = (resource: Resource, ...states: readonly string[]) =>
  identifying(
    uuid().meta({ description: `The id of ${inWords({ resource, states })}.` }),
    resource,
    ...states,
  );
