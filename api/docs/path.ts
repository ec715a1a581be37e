import type { Endpoint } from '../http/endpoint';

type Route = Pick<Endpoint, 'method' | 'path'>;

/** The path of an endpoint as OpenAPI writes it: `/api/v1/orders/{id}`. */
export const documentedPath = ({ path }: Pick<Endpoint, 'path'>): string =>
  `/api/v1${path.replace(/:(\w+)/g, '{$1}')}`;

/** An endpoint as lists name it: `POST /orders/:id/cancel`. */
export const routeOf = ({ method, path }: Route): string => `${method.toUpperCase()} ${path}`;
