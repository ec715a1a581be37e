/** Functions that end what was started, run in reverse order, also after a failure. */
export class Cleanup {
  private readonly pending: (() => unknown)[] = [];

  add(...ends: (() => unknown)[]): void {
    this.pending.push(...ends);
  }

  /** Runs each function once; one that fails does not keep the others from running. */
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

  /** Runs `begin`; if it fails, ends what it started and throws that failure, also if ending fails. */
  async guard<T>(begin: () => Promise<T>): Promise<T> {
    try {
      return await begin();
    } catch (error) {
      await this.run().catch(() => undefined);
      throw error;
    }
  }
}
