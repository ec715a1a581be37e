import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { freePort } from '../../../local/machine/ports';
import { eventually } from '../checks/eventually';
import { provided } from '../run/provided';

export interface StripeMock {
  /** The value for STRIPE_API_BASE. */
  url: string;
  stop: () => Promise<void>;
}

/**
 * Stripe's own mock of its API. It refuses what Stripe's description of the API does not allow, and keeps no
 * state: its answers are examples of the right shape.
 */
export async function startStripeMock(): Promise<StripeMock> {
  const port = await freePort();
  // It always listens for TLS too; on a port of its choice, so that two never collide.
  const addresses = ['-http-addr', `127.0.0.1:${port}`, '-https-addr', '127.0.0.1:0'];
  const child = spawn(provided('TEST_STRIPE_MOCK_PATH'), addresses, { stdio: 'ignore' });
  const stop = async (): Promise<void> => {
    if (child.exitCode !== null || child.signalCode !== null) return;
    const exit = once(child, 'exit');
    child.kill('SIGTERM');
    await exit;
  };
  const url = `http://127.0.0.1:${port}`;
  try {
    await eventually(async () => {
      if (child.exitCode !== null) throw new Error(`stripe-mock ended with ${child.exitCode}.`);
      await fetch(url);
    });
  } catch (error) {
    await stop();
    throw error;
  }
  return { url, stop };
}
