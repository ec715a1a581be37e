import { loadDotEnv, readLocalConfig, type LocalConfig } from './config';
import type { Log } from './logs/log';
import { Platform } from './platform';
import { messageOf } from './failure';

const log: Log = (line) => {
  console.log(line);
};

function addresses(config: LocalConfig): string {
  const base = `http://localhost:${config.PORT}`;
  const temporalUi =
    config.TEMPORAL_ADDRESS === undefined
      ? `http://localhost:${config.TEMPORAL_UI_PORT}`
      : `that of ${config.TEMPORAL_ADDRESS}`;
  const hasDemo = config.SEED_DEMO ?? config.NODE_ENV !== 'production';
  return [
    '',
    `  API            ${base}/api/v1`,
    `  Documentation  ${base}/api/docs`,
    `  Temporal UI    ${temporalUi}`,
    `  Metrics        http://localhost:${config.METRICS_PORT}/metrics`,
    `  Data, logs     ${config.DATA_DIR}`,
    ...(hasDemo ? ['  Demo accounts  buyer@example.com / Buyer-demo-1! (the others: local/README.md)'] : []),
    '',
    'Ctrl-C stops; the data stay. `npm run reset` erases them.',
    'ready',
  ].join('\n');
}

/** One Ctrl-C may arrive twice within this time: from the terminal, and passed on by npm. */
const ECHO_MS = 1_000;

/** Resolves at the first signal to stop; a second Ctrl-C ends the launcher at once. */
const stopRequested = (): Promise<void> =>
  new Promise((resolve) => {
    let firstAt: number | undefined;
    for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const)
      process.on(signal, () => {
        const isAgain = firstAt !== undefined && performance.now() - firstAt > ECHO_MS;
        // The guards then end the children.
        if (isAgain && signal === 'SIGINT') process.exit(1);
        firstAt ??= performance.now();
        resolve();
      });
  });

async function main(): Promise<void> {
  loadDotEnv();
  const config = readLocalConfig();
  const platform = new Platform(config, log);
  const stop = stopRequested();
  const broken = new Promise<never>((_resolve, reject) => {
    process.on('uncaughtException', reject);
  });
  try {
    const isUp = platform.up().then(() => true);
    isUp.catch(() => undefined);
    if (await Promise.race([isUp, stop.then(() => false), broken])) {
      log(addresses(config));
      await Promise.race([stop, broken]);
    }
  } finally {
    await platform.down();
  }
  log('stopped');
}

// A closed terminal must not keep the parts from being stopped in order.
process.stdout.on('error', () => undefined);
process.stderr.on('error', () => undefined);

main().then(
  () => process.exit(0),
  (error: unknown) => {
    console.error(messageOf(error));
    process.exit(1);
  },
);
