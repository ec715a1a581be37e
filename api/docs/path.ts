import type { Endpoint } from '../http/endpoint';

/** The path of an endpoint as OpenAPI writes it: `/api/v1/orders/{id}`. */
export const documentedPath = ({ path }: Pick<Endpoint, 'path'>): string =>
  `/api/v1${path.replace(/:(\w+)/g, '{$1}')}`;
