import type { Endpoint } from '../../http/endpoint';
import { nameOf } from './requests';

/** Recorded answers by endpoint: `GET /orders/:id`. */
export const recordedAnswers: Readonly<Record<string, unknown>> = {};

/** The example of the endpoint's success: `sample`, the envelope, with the recorded data. */
export function answerExample(endpoint: Pick<Endpoint, 'method' | 'path'>, sample: unknown): unknown {
  const data = recordedAnswers[nameOf(endpoint)];
  return data === undefined || typeof sample !== 'object' ? sample : { ...sample, data };
}
