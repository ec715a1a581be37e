import { openCatalogueChannel } from '../../../../db/catalog/catalogue-change/catalogue-channel';
import { ownDatabase } from '../../../support/servers/database';
import { proxyTo } from './catalogue-proxy';

const own = ownDatabase();

test('a channel listens before it takes its first snapshot, so that no change falls between the two', async () => {
  const proxy = await proxyTo(own.url);
  const channel = await openCatalogueChannel(proxy.url, {
    announced: () => undefined,
    lost: () => undefined,
  });
  const [listened, looked] = [proxy.sent().indexOf('LISTEN '), proxy.sent().indexOf('catalogue-changes')];
  expect(listened).toBeGreaterThan(-1);
  expect(looked).toBeGreaterThan(listened);
  await channel.close();
  proxy.close();
});
