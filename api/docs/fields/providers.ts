import type { FieldWords } from './words';

const PROVIDER: FieldWords = {
  apiBase: 'The https address of its API; null if it has none.',
  code: 'Names it in addresses; it stays for good.',
  countedAt: 'When the debt was added up.',
  isActive: 'False: nobody is signed in there, and its strategies take no new participations.',
  limit: 'Signed reports that it may send in a minute; null: the usual number.',
  name: 'Its name, as people read it.',
  secrets: 'The secrets that are accepted now, without what they are.',
  ssoAudience: 'The audience of the tokens that sign users in there; null if it takes none.',
  ssoUrl: 'The https address that users are led to with a token; null: `/sso` below `apiBase`.',
};

const REPORT: FieldWords = {
  attempts: 'How often it was tried.',
  processedAt: 'When it was applied, ignored, given up or discarded; null until then.',
  providerCode: 'The provider that sent it.',
  receivedAt: 'When it came.',
};

/** The same fields under the names of components. */
const ofEach = (components: readonly string[], words: FieldWords): FieldWords =>
  Object.fromEntries(
    components.flatMap((component) =>
      Object.entries(words).map(([name, text]) => [`${component}.${name}`, text]),
    ),
  );

const PROVIDER_COMPONENTS = [
  'AdminProvider',
  'CreateInvestmentProviderResponse',
  'CreateInvestmentProviderRequest',
  'UpdateInvestmentProviderRequest',
];

/** Investment providers and their secrets. */
export const providerFields: FieldWords = {
  'AccountExport.providerReports': 'What providers of investments have said of the person, newest first.',
  'KycDetail.providerReports': 'What providers of investments have said of the user, newest first.',
  'KycProviderReport.providerCode': 'The provider that said it.',
  'KycProviderReport.receivedAt': 'When the report came.',
  'ListWebhookEventsResponse.events': 'One page of reports.',
  ...ofEach(['WebhookEvent', 'WebhookEventDetail'], REPORT),
  ...ofEach(PROVIDER_COMPONENTS, PROVIDER),
  'SignInAtProviderResponse.expiresAt': 'When the token of the address ends.',
  'ListProviderPaymentsResponse.payments': 'One page of the payments of the provider, newest first.',
  'EnterProviderPaymentRequest.amount': 'What the bank says that was transferred.',
  'ProviderPayment.amount': 'What was transferred.',
  'ProviderPayment.bankReference': 'What the bank calls the transfer, as it was entered first.',
  'ProviderPayment.createdAt': 'When it was entered and booked.',
  'ProviderPayment.enteredBy': 'The administrator who entered it.',
  'ProviderPayment.note': 'What the administrator has noted; null: nothing.',
  'ProviderPayment.providerCode': 'The provider that paid, or was paid.',
  'ProviderSecret.createdAt': 'When the secret was made.',
  'ProviderSecret.purpose':
    'WEBHOOK signs reports in both directions, SSO the tokens that sign users in there.',
  'ProviderSecret.validUntil': 'Until when it is accepted; null for the one that signs now.',
  'RotateInvestmentProviderSecretRequest.secret': 'The secret to replace.',
  'RotateInvestmentProviderSecretResponse.code': 'The code of the provider.',
  'RotateInvestmentProviderSecretResponse.secret': 'The secret that was replaced.',
  previousValidUntil: 'Until when the secret before it is accepted; null: not any more.',
  providers: 'One page of the companies that run strategies, by code.',
  redirectUrl: 'The address at the provider, with a token that signs this user in there.',
  ssoKey: 'The key of the tokens that sign users in there, 32 bytes in base64url. It is shown this once.',
  webhookSecret:
    'The secret of reports in both directions, as Standard Webhooks has it. It is shown this once.',
  'InvestmentDifference.kind': 'The sort of difference.',
  'WebhookEvent.kind': 'Whether a payment provider or an investment provider sent it.',
  'WebhookEventDetail.kind': 'Whether a payment provider or an investment provider sent it.',
  'WebhookEventDetail.userId': 'The user whose participation it is.',
};
