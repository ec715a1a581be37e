import {
  innerSchemas,
  operationsOf,
  schemasIn,
  type Document,
  type Parameter,
  type Schema,
} from '../structure/schema';
import { PAGE_SIZE } from '../../http/answer/paging';
import { administrationFields } from './administration';
import { commissionFields } from './partners/commissions';
import { goodsFields } from './goods';
import { identityVerificationFields } from './identity-verification';
import { investmentFields } from './investments';
import { orderFields } from './orders';
import { parameterFields } from './parameters';
import { partnerFields } from './partners/partners';
import { payoutFields } from './money/payouts';
import { peopleFields } from './people';
import { providerFields } from './providers';
import { strategyFields } from './strategies';
import { topUpFields } from './money/top-ups';
import type { FieldWords } from './words';

const FIELDS: FieldWords = {
  ...partnerFields,
  ...peopleFields,
  ...goodsFields,
  ...orderFields,
  ...administrationFields,
  ...identityVerificationFields,
  ...investmentFields,
  ...providerFields,
  ...strategyFields,
  ...topUpFields,
  ...commissionFields,
  ...payoutFields,
};

/** Describes every parameter, and every field of requests and answers, that does not describe itself. */
export function describeFields(document: Document): void {
  for (const [name, schema] of Object.entries(document.components.schemas)) describeInside(schema, [name]);
  for (const operations of Object.values(document.paths))
    for (const { operationId, parameters = [] } of Object.values(operations))
      for (const parameter of parameters) describeParameter(parameter, operationId);
  for (const { responses } of operationsOf(document))
    for (const { content } of Object.values(responses)) {
      const fields = content?.['application/json']?.schema.properties ?? {};
      for (const [name, text] of Object.entries(ENVELOPE))
        if (fields[name]) fields[name].description ??= text;
    }
}

const ENVELOPE: FieldWords = {
  success: 'Always true: the request was done.',
  data: 'The answer itself.',
  meta: 'What there is to know besides.',
};

function describeInside(schema: Schema, owners: readonly string[]): void {
  for (const [name, field] of Object.entries(schema.properties ?? {})) {
    const text = field.description ?? fieldText(name, owners, field);
    if (text !== undefined) field.description = text;
    describeInside(field, [...owners, name]);
  }
  const fields = new Set(Object.values(schema.properties ?? {}));
  for (const inner of innerSchemas(schema)) if (!fields.has(inner)) describeInside(inner, owners);
}

function fieldText(name: string, owners: readonly string[], field: Schema): string | undefined {
  const [component = ''] = owners;
  const holder = owners.at(-1) ?? '';
  if (name === 'id') return `Identifies the ${nounOf(holder)}${isUuid(field) ? '; a UUID.' : '.'}`;
  return FIELDS[`${component}.${name}`] ?? FIELDS[`${holder}.${name}`] ?? FIELDS[name];
}

const isUuid = (field: Schema): boolean => schemasIn(field).some(({ format }) => format === 'uuid');

/** `AdminOrder` and `orders` are an order, `RegisterResponse` is an account. */
function nounOf(holder: string): string {
  const stated = NOUNS[holder];
  if (stated !== undefined) return stated;
  const words = holder.replace(/^Admin|^Any|Detail$|Summary$|Response$|Request$|ToSend$|Link$/g, '');
  const spaced = words.replace(/(?<=[a-z])[A-Z]/g, ' $&').toLowerCase();
  return spaced
    .replace(/^(?:create|update|archive|delete|add) /, '')
    .replace(/ies$/, 'y')
    .replace(/(?<=ss)es$|(?<!s)s$/, '');
}

const NOUNS: FieldWords = {
  BankFile: 'file',
  SetInvestmentCategory: 'investment category',
  WalletEntry: 'entry',
  WebhookEventDetail: 'report',
  HeldVerification: 'verification',
  MadeBankFile: 'file',
  MakeBankFileResponse: 'file',
  ReportedBankFile: 'file',
  EnterBankReportResponse: 'file',
  CollectedTransfer: 'transfer',
  InvestmentDifference: 'difference',
  Kyc: 'verification',
  KycDetail: 'verification',
  KycDocument: 'document',
  KycDocumentDetail: 'document',
  KycDocumentExport: 'document',
  KycProviderReport: 'report',
  KycQueueItem: 'verification',
  KycReviewedDocument: 'document',
  OwnNetworkNode: 'partner',
  NetworkNode: 'partner',
  OwnPartner: 'partner',
  ReferralLink: 'link',
  recentPayouts: 'payout',
  results: 'payout',
  RegisterResponse: 'account',
  ReplayedWebhookEvent: 'report',
  SetCategory: 'category',
  WebhookEvent: 'report',
  notes: 'note',
  kyc: 'verification',
  children: 'category',
  relatedProducts: 'product',
  entries: 'entry',
  actor: 'user',
  author: 'user',
  by: 'administrator',
  AuditRecord: 'record',
};

function describeParameter(parameter: Parameter, operationId: string): void {
  if (parameter.$ref !== undefined) return;
  const { name, schema } = parameter;
  if (name === 'page') schema.default = 1;
  if (name === 'pageSize') schema.default = Math.min(PAGE_SIZE, Number(schema['maximum']));
  const text = parameter.description ?? schema.description ?? parameterText(parameter, operationId);
  if (text === undefined) return;
  parameter.description = text + usualOf(schema, text);
  delete schema.description;
}

function parameterText({ name, schema }: Parameter, operationId: string): string | undefined {
  if (name === 'page') return 'The page to answer, from 1.';
  if (name === 'pageSize') return `The most entries that the page has, at most ${String(schema['maximum'])}.`;
  return parameterFields[`${operationId}.${name}`] ?? parameterFields[name] ?? FIELDS[name];
}

/** The default, unless the text names one. */
const usualOf = ({ default: usual }: Schema, text: string): string =>
  usual === undefined || text.includes('default') ? '' : ` ${JSON.stringify(usual)} by default.`;
