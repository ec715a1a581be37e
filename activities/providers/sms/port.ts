import { Undeliverable } from '../undeliverable';

/** What a person is to read on their telephone. */
export interface Sms {
  /** Our message's id. A message may be handed over twice; a driver that can tell, sends it once. */
  id: string;
  /** E.164. */
  to: string;
  text: string;
  /** The single-use code that the message carries, if any. */
  code?: string;
}

export interface SmsProvider {
  /** Resolves when the message is in safe hands. A thrown UndeliverableSms is final; any other error may pass. */
  send: (sms: Sms) => Promise<void>;
}

/** No try will ever deliver this message. */
export class UndeliverableSms extends Undeliverable {}

const E164 = /^\+[1-9]\d{6,14}$/;

/** Refuses what is no single telephone number. */
export function assertReachable({ to }: Sms): void {
  if (!E164.test(to)) throw new UndeliverableSms('The recipient is not one telephone number.');
}
