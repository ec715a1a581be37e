import type { ErrorCode } from '../../workflows/errors';
import type { Endpoint } from '../http/endpoint';
import { refusalExample, type RefusalExample } from './examples/refusals';

/** The message and details that the documentation shows for a code of an endpoint. */
export type ErrorExample = RefusalExample;

/** The example of one error code of one endpoint. */
export const errorExample = (endpoint: Endpoint, code: ErrorCode): ErrorExample =>
  refusalExample(endpoint, code);
