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

/** Operations that refuse values for reasons that no schema expresses, by id: check digits, future days, stock, unaccepted terms. */
const BEYOND_SCHEMAS: readonly string[] = [
  'register',
  'login',
  'joinPartnerProgramme',
  'updateAccount',
  'updateProfile',
  'updateAddress',
  'deleteAccount',
  'startKyc',
  'submitKyc',
  'uploadKycDocument',
  'deleteKycDocument',
  'updateUser',
  'updateCategory',
  'deleteCategory',
  'updateOrder',
  'createProduct',
  'updateProduct',
  'createVariant',
  'updateVariant',
  'createCoupon',
  'updateCoupon',
  'invest',
  'topUpBalance',
  'getOverview',
  'exportOverview',
  'getSalesFigures',
  'exportSalesFigures',
  'getInvestmentFigures',
  'exportInvestmentFigures',
  'getPartnerFigures',
  'exportPartnerFigures',
  'getPayoutFigures',
  'exportPayoutFigures',
  'getVerificationFigures',
  'exportVerificationFigures',
  'listAuditRecords',
  'startReconciliationRun',
  'createShippingMethod',
  'updateShippingMethod',
  'addTrackingEvent',
  'createInvestmentProvider',
  'updateInvestmentProvider',
  'enterProviderPayment',
  'writeOffProviderDebt',
  'withdrawParticipation',
  'adjustCommission',
  'getReferralLinkStats',
  'createStrategy',
  'updateStrategy',
  'addStrategyDocument',
  'makeBankFile',
  'enterBankReport',
];

/** The configuration of one run, as TOML: the checks, and the values that exist in this world. */
export function settingsFor({ dictionaries }: Fuzzable, { leaverToken }: Role): string {
  return [
    readFileSync(join(__dirname, 'schemathesis.toml'), 'utf8'),
    ...Object.entries(dictionaries)
      .filter(([, values]) => values.length > 0)
      .map(([name, values]) => table(`[dictionaries.${name}]`, `values = ${JSON.stringify(values)}`)),
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
  const beyond = BEYOND_SCHEMAS.includes(endpoint.id);
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
