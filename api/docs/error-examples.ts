import type { Endpoint } from '../http/endpoint';
import type { ErrorCode, RefusalDetails } from '../../workflows/errors';

/** The message and details that the documentation shows for a code of an endpoint. */
export interface ErrorExample {
  message: string;
  details?: RefusalDetails;
}

/** The example of one error code of one endpoint. */
export function errorExample(_endpoint: Endpoint, code: ErrorCode): ErrorExample {
  const words = code.toLowerCase().replaceAll('_', ' ');
  const message = `${words.charAt(0).toUpperCase()}${words.slice(1)}.`;
  return { message, ...(code === 'VALIDATION_ERROR' && { details: { field: ['is required'] } }) };
}
