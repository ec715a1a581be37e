import type { Response } from 'supertest';
import { nameOf } from '../../../../api/docs/examples/requests';
import { endpoints } from '../../../../api/endpoints';
import type { Endpoint } from '../../../../api/http/endpoint';
import { ownWorld } from '../../../support/worlds/world';
import { picture } from '../../users/pictures';
import { filled } from '../../families/arrangements/family-world';
import { prefilled, seedDemo, signInDemo } from './demo-world';

/** Answers other than success to a request as the page fills it in, on the demo data alone. */
const REFUSED: Readonly<Record<string, string>> = {
  // Only a mail, an SMS, an app or a login has the code or token.
  'POST /auth/verify-email': '400 INVALID_TOKEN',
  'POST /auth/reset-password': '400 INVALID_TOKEN',
  'POST /auth/undo': '400 INVALID_TOKEN',
  'POST /auth/2fa/verify': '400 INVALID_CODE',
  'POST /users/me/phone/verify': '400 INVALID_CODE',
  'POST /auth/logout': '400 INVALID_REFRESH_TOKEN',
  'POST /auth/refresh': '401 INVALID_REFRESH_TOKEN',
  'POST /payments/webhooks/:provider': '401 INVALID_SIGNATURE',
  'POST /investment/webhooks/:providerCode': '401 INVALID_SIGNATURE',
  'DELETE /auth/sessions/:id': '404 SESSION_NOT_FOUND',
  // The demo's accounts are verified and have no second factor; the buyer's wallet holds money.
  'POST /auth/resend-verification': '409 ALREADY_VERIFIED',
  'POST /auth/2fa/disable': '400 TWO_FACTOR_NOT_ENABLED',
  'POST /admin/users/:id/reset-two-factor': '400 TWO_FACTOR_NOT_ENABLED',
  'DELETE /users/me': '400 VALIDATION_ERROR',
  // No identity provider is configured.
  'GET /auth/external/:provider': '503 PROVIDER_NOT_CONFIGURED',
  'GET /auth/external/:provider/callback': '503 PROVIDER_NOT_CONFIGURED',
  // The demo has goods and accounts; orders, reviews and refunds come with use.
  'PATCH /cart/items/:id': '404 CART_ITEM_NOT_FOUND',
  'DELETE /cart/items/:id': '404 CART_ITEM_NOT_FOUND',
  'GET /orders/:id': '404 ORDER_NOT_FOUND',
  'GET /orders/:id/tracking': '404 ORDER_NOT_FOUND',
  'POST /orders/:id/cancel': '404 ORDER_NOT_FOUND',
  'POST /orders/:id/pay': '404 ORDER_NOT_FOUND',
  'POST /orders/:id/refund': '404 ORDER_NOT_FOUND',
  'GET /admin/orders/:id': '404 ORDER_NOT_FOUND',
  'PATCH /admin/orders/:id': '404 ORDER_NOT_FOUND',
  'POST /admin/orders/:id/payment': '404 ORDER_NOT_FOUND',
  'POST /admin/participations/:id/cancel': '404 PARTICIPATION_NOT_FOUND',
  'POST /admin/bank-transfers': '404 PAYMENT_NOT_FOUND',
  'GET /users/me/balance/top-ups/:id': '404 TOP_UP_NOT_FOUND',
  'POST /users/me/balance/top-ups/:id/cancel': '404 TOP_UP_NOT_FOUND',
  'POST /admin/partners/:id/suspend': '404 PARTNER_NOT_FOUND',
  'POST /admin/partners/:id/activate': '404 PARTNER_NOT_FOUND',
  'POST /admin/partners/:id/terminate': '404 PARTNER_NOT_FOUND',
  'POST /admin/partners/:id/rank': '404 PARTNER_NOT_FOUND',
  'POST /admin/orders/:id/tracking-events': '404 ORDER_NOT_FOUND',
  'POST /admin/orders/:id/refunds': '404 ORDER_NOT_FOUND',
  'GET /admin/refunds/:id': '404 REFUND_NOT_FOUND',
  'POST /admin/refunds/:id/approve': '404 REFUND_NOT_FOUND',
  'POST /admin/refunds/:id/reject': '404 REFUND_NOT_FOUND',
  'GET /admin/payment-refunds/:id': '404 REFUND_NOT_FOUND',
  'POST /admin/payment-refunds/:id/settle': '404 REFUND_NOT_FOUND',
  'GET /investment/participations/:id': '404 PARTICIPATION_NOT_FOUND',
  'POST /investment/participations/:id/withdraw': '404 PARTICIPATION_NOT_FOUND',
  'GET /admin/participations/:id': '404 PARTICIPATION_NOT_FOUND',
  // The demo's buyer is no partner, and partners' ids come with use.
  'GET /mlm/partner/me': '403 NOT_A_PARTNER',
  'GET /mlm/partner/network': '403 NOT_A_PARTNER',
  'GET /mlm/partner/network/stats': '403 NOT_A_PARTNER',
  'GET /mlm/referrals/links': '403 NOT_A_PARTNER',
  'GET /mlm/referrals/links/:id/stats': '403 NOT_A_PARTNER',
  'GET /admin/partners/:id': '404 PARTNER_NOT_FOUND',
  'GET /admin/partners/:id/network': '404 PARTNER_NOT_FOUND',
  'GET /admin/partners/:id/statements/:month': '404 PARTNER_NOT_FOUND',
  'GET /admin/partners/:id/statements/:month/export': '404 PARTNER_NOT_FOUND',
  'GET /admin/webhook-events/:id': '404 EVENT_NOT_FOUND',
  'POST /admin/webhook-events/:id/discard': '404 EVENT_NOT_FOUND',
  'POST /admin/webhook-events/:id/replay': '404 EVENT_NOT_FOUND',
  'POST /admin/investment/differences/:id/accept': '404 DIFFERENCE_NOT_FOUND',
  'POST /admin/reconciliation/differences/:id/resolve': '404 DIFFERENCE_NOT_FOUND',
  // A day can be compared for some weeks; the one in the example is long past.
  'POST /admin/reconciliation/runs': '400 VALIDATION_ERROR',
  // Whose token it is has no partner in the demo, and commissions come with sales.
  'GET /mlm/commissions': '403 NOT_A_PARTNER',
  'GET /mlm/commissions/summary': '403 NOT_A_PARTNER',
  'GET /mlm/commissions/history': '403 NOT_A_PARTNER',
  'GET /mlm/commissions/export': '403 NOT_A_PARTNER',
  'GET /mlm/commissions/:id/explain': '403 NOT_A_PARTNER',
  'GET /mlm/statements/:month': '403 NOT_A_PARTNER',
  'GET /mlm/statements/:month/export': '403 NOT_A_PARTNER',
  'GET /mlm/ranks/current': '403 NOT_A_PARTNER',
  'GET /mlm/ranks/progress': '403 NOT_A_PARTNER',
  'GET /mlm/ranks/history': '403 NOT_A_PARTNER',
  'GET /admin/commissions/:id/explain': '404 COMMISSION_NOT_FOUND',
  'POST /admin/commissions/:id/adjust': '404 COMMISSION_NOT_FOUND',
  'GET /admin/pools/:id': '404 POOL_NOT_FOUND',
  'GET /admin/pools/:id/export': '404 POOL_NOT_FOUND',
  'GET /mlm/payouts/balance': '403 NOT_A_PARTNER',
  'POST /mlm/payouts/request': '403 KYC_REQUIRED',
  'GET /mlm/payouts/history': '403 NOT_A_PARTNER',
  'POST /mlm/payouts/:id/cancel': '404 PAYOUT_NOT_FOUND',
  // The demo's buyer is not verified to withdraw.
  'POST /users/me/balance/withdraw': '403 KYC_REQUIRED',
  'POST /users/me/balance/withdrawals/:id/cancel': '404 WITHDRAWAL_NOT_FOUND',
  'POST /admin/payouts/:id/approve': '404 PAYOUT_NOT_FOUND',
  'POST /admin/payouts/:id/reject': '404 PAYOUT_NOT_FOUND',
  'POST /admin/payouts/:id/process': '404 PAYOUT_NOT_FOUND',
  'POST /admin/payouts/:id/complete': '404 PAYOUT_NOT_FOUND',
  'POST /admin/payouts/:id/cancel': '404 PAYOUT_NOT_FOUND',
  'POST /admin/wallet-withdrawals/:id/approve': '404 WITHDRAWAL_NOT_FOUND',
  'POST /admin/wallet-withdrawals/:id/reject': '404 WITHDRAWAL_NOT_FOUND',
  'POST /admin/wallet-withdrawals/:id/process': '404 WITHDRAWAL_NOT_FOUND',
  'POST /admin/wallet-withdrawals/:id/complete': '404 WITHDRAWAL_NOT_FOUND',
  'POST /admin/wallet-withdrawals/:id/cancel': '404 WITHDRAWAL_NOT_FOUND',
  'GET /admin/payouts/:id': '404 PAYOUT_NOT_FOUND',
  'GET /admin/wallet-withdrawals/:id': '404 WITHDRAWAL_NOT_FOUND',
  'GET /admin/withdrawals/:id': '404 WITHDRAWAL_NOT_FOUND',
  'POST /admin/withdrawals/:id/settle': '404 WITHDRAWAL_NOT_FOUND',
  'POST /admin/operations/:workflowId/settle': '404 OPERATION_NOT_FOUND',
  'POST /admin/messages/:id/resend': '404 MESSAGE_NOT_FOUND',
  'POST /admin/domain-events/:id/retry': '404 EVENT_NOT_FOUND',
  // Nothing is collected for a bank, and a picture is no report.
  'POST /admin/bank-files': '400 VALIDATION_ERROR',
  'GET /admin/bank-files/:id': '404 BANK_FILE_NOT_FOUND',
  'GET /admin/bank-files/:id/file': '404 BANK_FILE_NOT_FOUND',
  'POST /admin/bank-files/:id/status-report': '400 INVALID_FILE_TYPE',
  'POST /admin/bank-files/:id/withdraw': '404 BANK_FILE_NOT_FOUND',
  'POST /admin/bank-files/collected/:id/refuse': '404 TRANSFER_NOT_FOUND',
  'GET /users/kyc/documents/:id': '404 DOCUMENT_NOT_FOUND',
  'DELETE /users/kyc/documents/:id': '404 DOCUMENT_NOT_FOUND',
  // Here a form has its file alone, and documents are uploaded before they are submitted.
  'POST /kyc/documents': '400 VALIDATION_ERROR',
  'POST /admin/strategies/:id/documents': '400 VALIDATION_ERROR',
  'DELETE /admin/strategies/:id/documents/:documentId': '404 DOCUMENT_NOT_FOUND',
  'POST /users/kyc/submit': '400 DOCUMENTS_MISSING',
  'GET /admin/kyc/:id': '404 KYC_NOT_FOUND',
  'GET /admin/kyc/:id/documents/:documentId/file': '404 KYC_NOT_FOUND',
  'GET /admin/kyc/:id/documents/:documentId/thumbnail': '404 KYC_NOT_FOUND',
  'POST /admin/kyc/:id/claim': '404 KYC_NOT_FOUND',
  'POST /admin/kyc/:id/release': '404 KYC_NOT_FOUND',
  'POST /admin/kyc/:id/request-info': '404 KYC_NOT_FOUND',
  'POST /admin/kyc/:id/approve': '404 KYC_NOT_FOUND',
  'POST /admin/kyc/:id/reject': '404 KYC_NOT_FOUND',
  'POST /admin/kyc/:id/allow-resubmission': '404 KYC_NOT_FOUND',
  'POST /products/:id/reviews': '403 NOT_PURCHASED',
  'POST /products/:id/reviews/:reviewId/helpful': '404 REVIEW_NOT_FOUND',
  'DELETE /products/:id/reviews/:reviewId/helpful': '404 REVIEW_NOT_FOUND',
  'POST /admin/reviews/:id/publish': '404 REVIEW_NOT_FOUND',
  'POST /admin/reviews/:id/reject': '404 REVIEW_NOT_FOUND',
  'POST /admin/reviews/:id/respond': '404 REVIEW_NOT_FOUND',
  'POST /admin/operations/:workflowId/retry': '404 OPERATION_NOT_FOUND',
  'POST /admin/operations/:workflowId/abandon': '404 OPERATION_NOT_FOUND',
  'DELETE /admin/categories/:id': '404 CATEGORY_NOT_FOUND',
};

/** Requests in an order in which none spoils another: reads, changes, removals, and what ends the account. */
const RANKS: Readonly<Record<string, number>> = {
  'POST /users/kyc': 0,
  'DELETE /cart/coupons/:code': 1,
  'POST /auth/logout': 3,
  'DELETE /users/me': 3,
};

const answers = new Map<string, Response>();
const world = ownWorld();
beforeAll(async () => {
  await seedDemo(world);
  for (const endpoint of inOrder()) answers.set(nameOf(endpoint), await send(endpoint));
});

function inOrder(): Endpoint[] {
  const rank = (endpoint: Endpoint): number =>
    RANKS[nameOf(endpoint)] ?? ({ get: 0, delete: 2 } as Record<string, number>)[endpoint.method] ?? 1;
  return [...endpoints].sort((one, other) => rank(one) - rank(other));
}

/** Sends what the page would send; the file of a form is one that a person would choose. */
async function send(endpoint: Endpoint): Promise<Response> {
  const { params, query, body } = prefilled(endpoint);
  const path = `/api/v1${filled(endpoint.path, params)}`;
  const request = world.http[endpoint.method](path).query(query).redirects(0);
  if (endpoint.auth !== 'public') {
    void request.auth(await signInDemo(world, personFor(endpoint)), { type: 'bearer' });
  }
  if (endpoint.upload) void request.attach(endpoint.upload.field, ...(await fileFor(endpoint)));
  else if (body) void request.send(body);
  return request;
}

/** The account of the demo that would use it. */
function personFor({ auth, path }: Endpoint): 'buyer' | 'investor' | 'admin' {
  if (auth === 'admin' || auth === 'super-admin') return 'admin';
  return path.startsWith('/investment/') ? 'investor' : 'buyer';
}

const fileFor = async ({ path }: Endpoint): Promise<[Buffer, string]> =>
  path.endsWith('/import')
    ? [
        Buffer.from(
          'sku,name,description,price,status,commissionPercentage,careerPointsPercentage\nKETTLE-2L,Large kettle,Boils two litres.,44.9,DRAFT,10,100\n',
        ),
        'products.csv',
      ]
    : [await picture('png'), 'picture.png'];

test.each(endpoints.map((endpoint) => ({ name: nameOf(endpoint), endpoint })))(
  '$name succeeds as the page fills it in',
  ({ name, endpoint }) => {
    const { status, body } = answers.get(name)!;
    const code = (body as { error?: { code: string } }).error?.code;
    const { success } = endpoint;
    expect(code === undefined ? `${status}` : `${status} ${code}`).toBe(
      REFUSED[name] ?? `${success.find((one) => one === status) ?? success[0]}`,
    );
  },
);

test('every exception names an endpoint', () => {
  const names = endpoints.map(nameOf);
  expect(Object.keys(REFUSED).filter((name) => !names.includes(name))).toEqual([]);
});
