import { Undeliverable } from '../undeliverable';

/** A text message to one person. */
export interface Sms {
  /** Our message's id. A message may be handed over twice; drivers that can recognise a repeat send it once. */
  id: string;
  /** E.164. */
  to: string;
  text: string;
  /** The single-use code that the message carries, if any. */
  code?: string;
}

export interface SmsProvider {
  /** Resolves when the message is accepted for delivery. A thrown UndeliverableSms is final; any other error may pass. */
  send: (sms: Sms) => Promise<void>;
}

/** The message can never be delivered. */
export class UndeliverableSms extends Undeliverable {}

const E164 = /^\+[1-9]\d{6,14}$/;

/** Throws UndeliverableSms for a recipient that is not one telephone number. */
export function assertReachable({ to }: Sms): void {
  if (!E164.test(to)) throw new UndeliverableSms('The recipient is not one telephone number.');
}
