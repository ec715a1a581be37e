/**
 * Saves the history of a process under a name, so that later code must still replay it:
 * `npm run replay:record -- <workflow id> [name]`, with TEMPORAL_ADDRESS and TEMPORAL_NAMESPACE as usual.
 */
const { Client, Connection } = require('@temporalio/client');
const { mkdir, writeFile } = require('node:fs/promises');
const { hostname } = require('node:os');
const { join } = require('node:path');
const { freeze, histories } = require('./frozen.cjs');
const { toPlain } = require('./history-json.cjs');

/** Leaves out paths of code, workers' names and machines, which differ from run to run. */
function withoutPlaces(key, value) {
  if (key === 'stackTrace' || key === 'identity') return undefined;
  return value?.kind === 'TASK_QUEUE_KIND_STICKY' ? { ...value, name: 'sticky' } : value;
}

/** Writes tests/replay/<type>/<name>.json with its line and returns its path. Fails if there is one already. */
async function saveHistory(client, workflowId, name, runId) {
  const handle = client.workflow.getHandle(workflowId, runId);
  const { type } = await handle.describe();
  const history = toPlain(await handle.fetchHistory());
  const text = JSON.stringify({ workflowId, ...history }, withoutPlaces);
  if (text.includes(`@${hostname()}`)) throw new Error(`The history of ${workflowId} names this machine.`);
  const folder = join(__dirname, type);
  await mkdir(folder, { recursive: true });
  const path = `${type}/${name}.json`;
  await writeFile(join(__dirname, path), `${text}\n`, { flag: 'wx' });
  freeze(histories);
  return path;
}

async function main([workflowId, name = 'recorded']) {
  if (workflowId === undefined) throw new Error('Usage: npm run replay:record -- <workflow id> [name]');
  const connection = await Connection.connect({ address: process.env.TEMPORAL_ADDRESS ?? '127.0.0.1:7233' });
  try {
    const client = new Client({ connection, namespace: process.env.TEMPORAL_NAMESPACE ?? 'default' });
    console.log(await saveHistory(client, workflowId, name));
  } finally {
    await connection.close();
  }
}

if (require.main === module) {
  main(process.argv.slice(2)).catch((error) => {
    console.error(error.message);
    process.exitCode = 1;
  });
}

module.exports = { saveHistory };
