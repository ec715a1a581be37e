import { TestWorkflowEnvironment } from '@temporalio/testing';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { connect } from 'node:net';
import { setTimeout as pause } from 'node:timers/promises';
import { onFreePort } from '../../../local/machine/ports';
import { SERVER_STARTS_MS } from '../patience.cjs';

const LOOK_EVERY_MS = 50;

interface TestServer {
  /** host:port. */
  readonly address: string;
  stop: () => Promise<void>;
}

/**
 * Starts the server whose time skips: the program at this path. Throws if it ends or does not listen. The SDK would give it
 * five seconds, which a busy machine exceeds.
 */
export const startTestServer = (program: string): Promise<TestServer> =>
  onFreePort(async (port) => {
    const server = spawn(program, [String(port)], { stdio: 'ignore' });
    const ended = once(server, 'exit');
    const stop = async () => {
      server.kill();
      await ended;
    };
    const deadline = Date.now() + SERVER_STARTS_MS;
    while (!(await listens(port))) {
      if (server.exitCode !== null || Date.now() > deadline) {
        await stop();
        throw new Error(`The test server does not listen on port ${port}; is the address already in use?`);
      }
      await pause(LOOK_EVERY_MS);
    }
    return { address: `127.0.0.1:${port}`, stop };
  });

const listens = (port: number): Promise<boolean> =>
  new Promise((resolve) => {
    const socket = connect(port, '127.0.0.1', () => {
      socket.destroy();
      resolve(true);
    });
    socket.on('error', () => resolve(false));
  });

/** The constructor's options of the SDK, which it types as private. */
interface ExistingServer {
  server: { type: 'existing' };
  address: string;
  supportsTimeSkipping: true;
}

/** Connects to a running test server. The SDK's `createFromExistingServer` would not let it skip time. */
export const connectSkipping = (address: string): Promise<TestWorkflowEnvironment> =>
  (
    TestWorkflowEnvironment as unknown as {
      create: (options: ExistingServer) => Promise<TestWorkflowEnvironment>;
    }
  ).create({ server: { type: 'existing' }, address, supportsTimeSkipping: true });
