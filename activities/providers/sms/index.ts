import type { ProvidersConfig } from '../config';
import { fileSms } from './file';
import { httpSms } from './http';
import type { SmsProvider } from './port';

/** The configured driver for text messages. Throws when its configuration is incomplete. */
export function smsProvider({
  SMS_DRIVER,
  SMS_HTTP_URL: url,
  SMS_HTTP_TOKEN: token,
  MAIL_DIR,
}: Pick<ProvidersConfig, 'SMS_DRIVER' | 'SMS_HTTP_URL' | 'SMS_HTTP_TOKEN' | 'MAIL_DIR'>): SmsProvider {
  if (SMS_DRIVER === 'file') return fileSms(MAIL_DIR);
  if (url === undefined || token === undefined)
    throw new Error('SMS_DRIVER=http needs SMS_HTTP_URL and SMS_HTTP_TOKEN.');
  return httpSms({ url, token });
}
