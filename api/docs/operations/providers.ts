import type { OperationWords } from './words';

/** Investment providers, the way to them, and what they report. */
export const providerOperations: OperationWords = {
  'GET /admin/providers': ['listInvestmentProviders', 'One page of providers'],
  'POST /admin/providers': ['createInvestmentProvider', 'The new provider, with its secrets'],
  'GET /admin/providers/:code': ['getInvestmentProvider', 'The provider'],
  'PATCH /admin/providers/:code': ['updateInvestmentProvider', 'The provider as it is now'],
  'POST /admin/providers/:code/rotate-secret': ['rotateInvestmentProviderSecret', 'The new secret'],
  'GET /admin/providers/:code/payments': ['listProviderPayments', 'One page of payments'],
  'POST /admin/providers/:code/payments': ['enterProviderPayment', 'The payment, which is booked'],
  'POST /investment/webhooks/:providerCode': [
    'receiveProviderReport',
    { 200: 'A report that was received before', 202: 'The report is stored and will be applied' },
  ],
  'POST /investment/strategies/:id/sso-redirect': ['signInAtProvider', 'Where to lead the browser'],
  'GET /admin/investment/differences': [
    'listInvestmentDifferences',
    'One page of differences, and how matters stand with each provider',
  ],
  'POST /admin/investment/differences/:id/accept': ['acceptInvestmentDifference', 'The accepted difference'],
  'GET /admin/webhook-events': ['listWebhookEvents', 'One page of reports'],
  'GET /admin/webhook-events/:id': ['getWebhookEvent', 'The report, and what it is about'],
  'POST /admin/webhook-events/:id/discard': ['discardWebhookEvent', 'The report, which is never applied'],
  'POST /admin/webhook-events/:id/replay': ['replayWebhookEvent', 'The report, which is tried again'],
};
