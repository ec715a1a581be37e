import type { Running } from '../../../local/processes/child';

/** One process of the stack: it can be started, killed and stopped any number of times. */
export class Part {
  private running: Running | undefined;
  private meant = false;
  /** What it said last when it ended by itself, each time. */
  readonly crashes: string[] = [];
  /** Whether the load balancer sends anyone here; whoever stops a part says so first. */
  accepting = true;

  constructor(
    readonly name: string,
    private readonly begin: () => Promise<Running>,
  ) {}

  get isUp(): boolean {
    return this.running !== undefined;
  }

  /** Answers when it is ready; does nothing when it runs. */
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

  /** SIGKILL: nothing is said first. */
  async kill(): Promise<void> {
    this.meant = true;
    await this.running?.kill();
  }

  /** As a deployment does: nobody is sent here any more, then it is asked to stop, and waited for. */
  async stop(): Promise<void> {
    this.meant = true;
    this.accepting = false;
    await this.running?.stop();
  }

  /** Stands still, with all that it holds, until `thaw`. */
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
