import { execFile } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { promisify } from 'node:util';
import sharp from 'sharp';
import { firstRow, rows } from '../../db/sql/query';
import { eventually } from '../support/checks/eventually';
import { Machine, type LaunchedWorld } from '../support/worlds/launched-world';
import { useScratch } from './scratch';

const root = path.resolve(__dirname, '../..');
const scratch = useScratch();
let running: LaunchedWorld | undefined;
afterEach(async () => {
  await running?.stop();
  running = undefined;
});

/** The commands in all shell blocks below a heading of a document. */
function commandsOf(document: string, heading: string): string {
  const text = readFileSync(path.join(root, document), 'utf8');
  const section = text.split(`\n${heading}\n`)[1]?.split(/\n#+ /)[0] ?? '';
  const blocks = [...section.matchAll(/```sh\n([^]*?)```/g)].map(([, commands]) => commands);
  if (blocks.length === 0) throw new Error(`${document} has no commands below ${heading}.`);
  return blocks.join('\n');
}

/** Carries commands out in the folder of the platform, by one shell; answers the lines that they print. */
async function carriedOut(
  { http }: LaunchedWorld,
  { dataDir }: Machine,
  commands: readonly string[],
): Promise<string[]> {
  const script = commands
    .join('\n')
    .replaceAll('http://localhost:3000', new URL(http.get('/').url).origin)
    .replaceAll('/tmp/', `${scratch()}/`);
  const words = ['-euo', 'pipefail', '-c', script];
  const env = { ...process.env, DATA_DIR: dataDir, DATABASE_URL: undefined };
  const { stdout } = await promisify(execFile)('bash', words, { cwd: root, env, timeout: 180_000 });
  return stdout.trim().split('\n');
}

/** The press of the button on the payment page of the order. */
const PAYS = `PAGE=$(field data.payment.paymentUrl <<< "$PLACED")
curl -s -o /dev/null -X POST "\${PAGE%%\\?*}/pay?\${PAGE#*\\?}"`;

test('the commands of the documents, as a newcomer types them: an investment, an order, a commission and its payout, a wallet, and an identity', async () => {
  const machine = await Machine.at(path.join(scratch(), 'data'), { SEED_DEMO: 'true' });
  running = await machine.start();
  const lines = await carriedOut(running, machine, [
    commandsOf('workflows/investment/README.md', '## Try it'),
    commandsOf('README.md', '### Buy something'),
    PAYS,
    commandsOf('workflows/partners/README.md', '## Earn a commission'),
    commandsOf('workflows/partners/README.md', '## Get paid'),
    commandsOf('workflows/ledger/README.md', '## Top up and withdraw'),
    commandsOf('workflows/kyc/README.md', '## Verify an identity'),
  ]);
  const answers = lines.filter((line) => line.startsWith('{')).map((line) => JSON.parse(line));
  expect(answers.map(({ error }) => error).filter(Boolean)).toEqual([]);
  expect(answers.map(({ data }) => data.status).slice(-3)).toEqual([undefined, 'UNDER_REVIEW', 'APPROVED']);
  expect(lines.at(-1)).toBe('APPROVED');
  expect(
    await rows(
      running.db,
      `SELECT kind, status, amount_minor AS minor FROM payouts UNION ALL SELECT 'TOP_UP', status, amount_minor FROM top_ups
       ORDER BY kind`,
    ),
  ).toEqual([
    { kind: 'PARTNER', status: 'COMPLETED', minor: 10_00 },
    { kind: 'TOP_UP', status: 'PAID', minor: 100_00 },
    { kind: 'WALLET', status: 'COMPLETED', minor: 40_00 },
  ]);
  expect(
    await firstRow(running.db, 'SELECT kyc_status, kyc_level FROM users WHERE email = $1', [
      'buyer@example.com',
    ]),
  ).toEqual({ kycStatus: 'APPROVED', kycLevel: 'STANDARD' });
  expect(await sharp(path.join(scratch(), 'reviewed.jpg')).metadata()).toMatchObject({
    ...{ format: 'jpeg', width: 600, height: 400 },
  });
  expect(
    await rows(
      running.db,
      `SELECT p.status FROM participations p JOIN users u ON u.id = p.user_id WHERE u.email = 'investor@example.com'`,
    ),
  ).toEqual([{ status: 'WITHDRAWN' }]);
  const outbox = path.join(machine.dataDir, 'outbox');
  await eventually(() => {
    const mails = readdirSync(outbox).map((name) => readFileSync(path.join(outbox, name), 'utf8'));
    for (const subject of [
      'Your identity verification is approved',
      ...['Your payout of 10.00 USD is sent', 'Your withdrawal of 40.00 USD is sent'],
    ])
      expect(mails.some((mail) => mail.includes(subject))).toBe(true);
  });
});
