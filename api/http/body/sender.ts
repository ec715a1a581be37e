/** A received report: its bytes as they were sent, and its headers by lower-case name. */
export interface SentReport {
  rawBody: Buffer;
  header: (name: string) => string | undefined;
}

/** Another company that sends signed reports. */
export interface ReportSender {
  /** Its name for the rate limit; unique within the endpoint. */
  name: string;
  /** Its own number of signed reports in a minute; null or left out: the number of the policy. */
  perMinute?: number | null;
  /** True if it signed these bytes with one of its active secrets within the last minutes. */
  isSigned: (sent: SentReport, now: Date) => boolean | Promise<boolean>;
}
