import type { Running } from '../../../local/processes/child';

/** One process of the stack: it can be started, killed and stopped any number of times. */
export class Part {
  private running: Running | undefined;
  private meant = false;
  /** The last output of each time it ended by itself. */
  readonly crashes: string[] = [];
  /** True while the load balancer sends requests here; set to false before a part is stopped. */
  accepting = true;

  constructor(
    readonly name: string,
    private readonly begin: () => Promise<Running>,
  ) {}

  get isUp(): boolean {
    return this.running !== undefined;
  }

  /** Resolves when it is ready; no-op if it runs. */
  async start(): Promise<void> {
    if (this.running) return;
    const running = await this.begin();
    this.running = running;
    this.meant = false;
    this.accepting = true;
    void running.exited.then(({ message }) => {
      if (this.running !== running) return;
      this.running = undefined;
      if (!this.meant) this.crashes.push(message);
    });
  }

  /** SIGKILL, without a warning. */
  async kill(): Promise<void> {
    this.meant = true;
    await this.running?.kill();
  }

  /** As a deployment does: no more requests are sent here, then it is stopped by SIGTERM and awaited. */
  async stop(): Promise<void> {
    this.meant = true;
    this.accepting = false;
    await this.running?.stop();
  }

  /** Stops it, with all locks and connections that it holds, until `thaw`. */
  freeze(): void {
    this.signal('SIGSTOP');
  }

  thaw(): void {
    this.signal('SIGCONT');
  }

  private signal(signal: NodeJS.Signals): void {
    if (this.running) process.kill(this.running.pid, signal);
  }
}
