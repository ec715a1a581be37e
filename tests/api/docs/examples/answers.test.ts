import { writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { demo } from '../../../../api/docs/examples/demo';
import { recordedAnswers } from '../../../../api/docs/examples/answers';
import { nameOf } from '../../../../api/docs/examples/requests';
import { endpoints } from '../../../../api/endpoints';
import { arrangedFor, notArranged } from '../../families/arrangements/arrangements';
import { roleFor, startFamilyWorld, type FamilyWorld } from '../../families/arrangements/family-world';
import { sendArranged } from '../../families/arrangements/send';
import { undocumented } from '../../families/arrangements/undocumented';
import { seedDemo } from './demo-world';
import { normalised } from './normalise';
import { thickened } from './thickened';

const FOLDER = resolve(__dirname, '../../../../api/docs/examples/answers');

/** Endpoints that answer no JSON, or that cannot succeed in the world of the families. */
const shown = endpoints.filter((endpoint) => !endpoint.produces && !(nameOf(endpoint) in notArranged));

/** Answers of every endpoint on the demo data, each to a new user, by the area of its path. */
async function recordAll(family: FamilyWorld) {
  const areas: Record<string, Record<string, unknown>> = {};
  const refused: string[] = [];
  for (const endpoint of shown) {
    const person = await family.person(roleFor(endpoint.auth) ?? 'USER');
    const name = nameOf(endpoint);
    const arranged = await (thickened[name]?.(family, person) ?? arrangedFor(family, endpoint, person));
    const { status, body } = await sendArranged(family, endpoint, person, arranged);
    if (!endpoint.success.some((success) => success === status))
      refused.push(`${name} answered ${status}: ${JSON.stringify(body)}`);
    const area = (areas[endpoint.path.split('/')[1]!] ??= {});
    area[name] = normalised(body.data, Date.now(), JSON.stringify(arranged));
  }
  return { areas, refused };
}

if (process.env['RECORD_EXAMPLES'] === 'true')
  test('records the answer of every endpoint', async () => {
    const family = await startFamilyWorld(async (world) => {
      await seedDemo(world);
      return { productId: demo.product, methodId: demo.shippingMethod, couponCode: demo.couponCode };
    });
    try {
      const { areas, refused } = await recordAll(family);
      expect(refused).toEqual([]);
      for (const [area, answers] of Object.entries(areas))
        writeFileSync(join(FOLDER, `${area}.json`), `${JSON.stringify(answers, null, 2)}\n`);
    } finally {
      await family.world.teardown();
    }
  }, 600_000);
else
  describe('the recorded answers', () => {
    test('are those of every endpoint that answers data, and of no other', () => {
      expect(Object.keys(recordedAnswers).sort()).toEqual(shown.map(nameOf).sort());
    });

    test.each(shown.map((endpoint) => ({ name: nameOf(endpoint), endpoint })))(
      '$name: its contract accepts it and knows each field',
      ({ name, endpoint }) => {
        const data = recordedAnswers[name];
        expect(endpoint.data.safeParse(data).error?.issues).toBeUndefined();
        expect(undocumented(endpoint.data, data)).toEqual([]);
      },
    );

    test('name no machine and no secret', () => {
      const text = JSON.stringify(recordedAnswers);
      expect(
        text.match(/127\.0\.0\.1|localhost|\/tmp\/|\/work\/|\/home\/|whsec_(?!bWFkZS11cC1)|\$argon2/),
      ).toBeNull();
      expect(text.length).toBeLessThan(150_000);
    });
  });
