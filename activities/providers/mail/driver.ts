import type { Driver } from '../driver';
import { SmsConfig } from '../sms/config';
import { MailConfig } from './config';

/** Mail and text messages. One activity sends them and paces itself, so its queue has no limit. */
export const mailDriver = {
  code: 'mail',
  variables: { api: {}, worker: { ...MailConfig.shape, ...SmsConfig.shape } },
  callsPerSecond: null,
  lookUpsPerSecond: null,
} satisfies Driver<unknown>;
