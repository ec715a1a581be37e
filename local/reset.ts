import { loadDotEnv, readLocalConfig } from './config';
import { erase } from './erase';
import { messageOf } from './failure';

async function main() {
  loadDotEnv();
  await erase(readLocalConfig().DATA_DIR, (line) => {
    console.log(line);
  });
}

main().catch((error: unknown) => {
  console.error(messageOf(error));
  process.exitCode = 1;
});
