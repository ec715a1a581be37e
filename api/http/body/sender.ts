/** What a report is judged by: its bytes as they came, and its headers by lower-case name. */
export interface SentReport {
  rawBody: Buffer;
  header: (name: string) => string | undefined;
}

/** Another company that sends us reports. */
export interface Sender {
  /** Whose count its reports use up; unique within the endpoint. */
  name: string;
  /** Whether it signed these bytes, within the last minutes, with one of its live secrets. */
  isSigned: (sent: SentReport, now: Date) => boolean | Promise<boolean>;
}
