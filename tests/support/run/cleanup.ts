/** What has been begun and must be ended, the last begun first; also when something failed on the way. */
export class Cleanup {
  private readonly pending: (() => unknown)[] = [];

  add(...ends: (() => unknown)[]): void {
    this.pending.push(...ends);
  }

  /** Ends all of it, each once; one that fails does not keep the others from ending. */
  async run(): Promise<void> {
    const failures: unknown[] = [];
    for (const end of this.pending.splice(0).reverse()) {
      try {
        await end();
      } catch (error) {
        failures.push(error);
      }
    }
    if (failures.length > 0) throw new AggregateError(failures, failures.map(String).join('\n'));
  }

  /** Runs `begin`; if it fails, ends what it has begun and throws that failure, whatever else then fails. */
  async guard<T>(begin: () => Promise<T>): Promise<T> {
    try {
      return await begin();
    } catch (error) {
      await this.run().catch(() => undefined);
      throw error;
    }
  }
}
