import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { endpoints } from '../../api/endpoints';
import { errorsOf } from '../../api/http/answer/errors';
import type { Endpoint } from '../../api/http/endpoint';
import { documentedPath } from '../../api/docs/path';
import { bindingsAsToml } from './bindings';
import { isLeaving, type Fuzzable, type Role } from './world/fuzz-world';

/** The statuses that Schemathesis by default accepts for a well-formed request. */
const FAIR_ANSWERS = ['2xx', '3xx', '401', '403', '404', '409', '429', '5xx'];

/** Endpoints that refuse values for reasons that no schema expresses: check digits, future days, stock. */
const BEYOND_SCHEMAS: readonly string[] = [
  'patch /users/me',
  'patch /users/me/profile',
  'patch /users/me/addresses/:id',
  'delete /users/me',
  'post /users/kyc',
  'post /users/kyc/submit',
  'post /kyc/documents',
  'delete /users/kyc/documents/:id',
  'patch /admin/users/:id',
  'patch /admin/categories/:id',
  'delete /admin/categories/:id',
  'patch /admin/orders/:id',
  'post /admin/products',
  'patch /admin/products/:id',
  'post /admin/products/:id/variants',
  'patch /admin/products/:id/variants/:variantId',
  'post /admin/coupons',
  'patch /admin/coupons/:id',
  'post /investment/participations',
  'post /users/me/balance/top-up',
  'get /admin/analytics/overview',
  'get /admin/analytics/overview/export',
  'get /admin/analytics/sales',
  'get /admin/analytics/sales/export',
  'get /admin/analytics/investments',
  'get /admin/analytics/investments/export',
  'get /admin/analytics/partners',
  'get /admin/analytics/partners/export',
  'get /admin/analytics/payouts',
  'get /admin/analytics/payouts/export',
  'get /admin/analytics/kyc',
  'get /admin/analytics/kyc/export',
  'get /admin/audit-logs',
  'post /admin/shipping-methods',
  'patch /admin/shipping-methods/:id',
  'post /admin/orders/:id/tracking-events',
  'post /admin/providers',
  'patch /admin/providers/:code',
  'post /admin/providers/:code/payments',
  'post /admin/providers/:code/write-offs',
  'post /investment/participations/:id/withdraw',
  'post /admin/commissions/:id/adjust',
  'get /mlm/referrals/links/:id/stats',
  'post /admin/strategies',
  'patch /admin/strategies/:id',
  'post /admin/strategies/:id/documents',
  'post /admin/bank-files',
  'post /admin/bank-files/:id/status-report',
];

/** The configuration of one run, as TOML: the checks, and the values that exist in this world. */
export function settingsFor({ dictionaries }: Fuzzable, { leaverToken }: Role): string {
  return [
    readFileSync(join(__dirname, 'schemathesis.toml'), 'utf8'),
    ...Object.entries(dictionaries).map(([name, values]) =>
      table(`[dictionaries.${name}]`, `values = ${JSON.stringify(values)}`),
    ),
    ...bindingsAsToml(endpoints, dictionaries),
    ...endpoints.flatMap(refusalsOf),
    ...(leaverToken === null ? [] : leaveWith(leaverToken)),
  ].join('\n');
}

/**
 * A request can fit the document and still be refused with 400 because of the data (an empty cart),
 * or with 422 for a key that was used before. The document names these codes, so they are accepted here.
 */
function refusalsOf(endpoint: Endpoint): string[] {
  const own = Object.entries(errorsOf(endpoint)).filter(([code]) => code !== 'VALIDATION_ERROR');
  const beyond = BEYOND_SCHEMAS.includes(`${endpoint.method} ${endpoint.path}`);
  const fair = ['400', '422'].filter(
    (status) => (beyond && status === '400') || own.some(([, given]) => String(given) === status),
  );
  if (fair.length === 0) return [];
  const statuses = JSON.stringify([...FAIR_ANSWERS, ...fair]);
  return [operation(endpoint, `checks.positive_data_acceptance.expected-statuses = ${statuses}`)];
}

/** Logging out with the token of the run would end it. */
const leaveWith = (token: string): string[] =>
  endpoints
    .filter(isLeaving)
    .map((leaving) => operation(leaving, `headers = { Authorization = "Bearer ${token}" }`));

const operation = (endpoint: Endpoint, ...lines: string[]): string =>
  table(
    '[[operations]]',
    `include-name = "${endpoint.method.toUpperCase()} ${documentedPath(endpoint)}"`,
    ...lines,
  );

const table = (...lines: string[]): string => `${lines.join('\n')}\n`;
