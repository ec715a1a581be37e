/** Looks for viruses in files from clients. */
export interface VirusScanner {
  /**
   * Returns the name of the first virus found in the bytes, or null if there is none. Rejects with `ScannerUnavailable`
   * when there is no certain answer in time, so that no file passes unseen, and with `Busy` when the client hangs up.
   */
  findVirus: (bytes: Buffer, clientGone: AbortSignal) => Promise<string | null>;
}
