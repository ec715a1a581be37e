import { make } from '../../../../support/builders/make';
import { startAdminWorld, type AdminWorld } from '../../admin-world';
import { keptProduct } from '../product-requests';
import { fileOf, newRow, outcomesOf, sendFile } from './files';

let adminWorld: AdminWorld;
beforeAll(async () => {
  adminWorld = await startAdminWorld({ worker: false });
});
afterAll(() => adminWorld.world.teardown());

const send = (file: string | Buffer) => sendFile(adminWorld, file);
const kept = (id: string) => keptProduct(adminWorld.world.db, id);

describe('separators of POST /admin/products/import', () => {
  test.each<[string, string]>([
    ['commas', 'sku,price,weight,attributes\r\n%,12.5,0.75,"{""a"":""x;y""}"\r\n'],
    [
      'semicolons, with a byte order mark',
      '\uFEFFsku;price;weight;attributes\r\n%;12,5;0,75;"{""a"":""x;y""}"\r\n',
    ],
    ['semicolons and decimal points', 'sku;price;weight;attributes\n%;12.50;0.750;"{""a"":""x;y""}"\n'],
    ['tabs', 'sku\tprice\tweight\tattributes\n%\t12,50\t0,75\t"{""a"":""x;y""}"\n'],
    [
      'names in capitals and with spaces',
      ' SKU ; PRICE; Weight ;"Attributes"\n%;12,5;0,75;"{""a"":""x;y""}"\n',
    ],
  ])('%s', async (what, file) => {
    const { id, sku } = await make.product(adminWorld.world.db, { sku: `BY-${what}` });
    expect(outcomesOf(await send(file.replace('%', sku)))).toEqual([[2, 'UPDATED', []]]);
    expect(await kept(id)).toMatchObject({ priceMinor: 1250, weightGrams: 750, attributes: { a: 'x;y' } });
  });

  test.each([
    ['empty columns without a name', 'sku,,price,,\n%,,12.5,,\n'],
    ['cells that are missing at the end of a row', 'sku,price,weight,status\n%,12.5\n'],
    ['lines that end in different ways', 'sku,price\r\n%,12.5\nNONE-1,1\rNONE-2,1\r\n'],
  ])('%s', async (what, file) => {
    const { id, sku } = await make.product(adminWorld.world.db, {
      sku: `LAX ${what.slice(0, 20)}`,
      weightGrams: 5,
    });
    const [first] = outcomesOf(await send(file.replace('%', sku)));
    expect(first).toEqual([2, 'UPDATED', []]);
    expect(await kept(id)).toMatchObject({ priceMinor: 1250, weightGrams: 5 });
  });

  test('a SKU that looks like another is the same, in the file and in the shop', async () => {
    const { id } = await make.product(adminWorld.world.db, { sku: 'Abc-1' });
    const answer = await send('sku,price\n abc\u20111\u200B,12.5\nABC-1,13\n');
    expect(outcomesOf(answer)).toEqual([
      [2, 'UPDATED', []],
      [3, 'REFUSED', ['sku']],
    ]);
    expect(await kept(id)).toMatchObject({ priceMinor: 1250, sku: 'Abc-1' });
  });

  test.each(['4.06532E+12', '4,06E+12', '1e+5'])(
    'a SKU that a spreadsheet has rewritten is refused: %s',
    async (sku) => {
      const answer = await send(fileOf([newRow(sku)]));
      expect(answer.body.data.rows[0].errors).toEqual({
        sku: ['was rewritten by a spreadsheet: format the column as text'],
      });
    },
  );

  test('a new product with the name and price of another is named, in a dry run too', async () => {
    const known = await make.product(adminWorld.world.db, {
      ...{ sku: '0001812202', name: 'Größe M', priceMinor: 1_000 },
    });
    const file = fileOf([
      newRow('1812202', { name: 'Gro\u0308ße M', stockCount: '' }),
      newRow('1812203', { name: 'Größe M', price: '11', stockCount: '' }),
      newRow('1812204', { name: 'Größe L', stockCount: '' }),
      newRow('0001812202', { name: 'Größe M', stockCount: '5' }),
    ]);
    for (const query of ['?dryRun=true', '']) {
      const answer = await sendFile(adminWorld, file, adminWorld.tokens.admin, query);
      expect(
        (answer.body.data.rows as Record<string, unknown>[]).map(({ outcome, hint }) => [outcome, hint]),
      ).toEqual([
        ['CREATED', 'has the name and the price of 0001812202: is it the same product?'],
        ['CREATED', null],
        ['CREATED', null],
        ['UPDATED', null],
      ]);
    }
    expect(await kept(known.id)).toMatchObject({ sku: '0001812202' });
  });

  test('a number that depends on the decimal sign is refused, not guessed', async () => {
    const { id } = await make.product(adminWorld.world.db, { sku: 'GROUPED', priceMinor: 2_500 });
    const answer = await send('sku;price;weight\nGROUPED;1.250;0.750\n');
    expect(answer.body.data.rows[0].errors).toEqual({ price: ['is ambiguous: write 1250 or 1.25'] });
    expect(await kept(id)).toMatchObject({ priceMinor: 2500 });
    for (const [cell, columns] of [
      ['1.250,00', ['price']],
      ['1250,00', []],
    ] as const)
      expect(outcomesOf(await send(`sku;price\nGROUPED;${cell}\n`))[0]?.[2]).toEqual(columns);
    expect(await kept(id)).toMatchObject({ priceMinor: 125_000 });
  });

  test.each([
    ['2,000', 'write 2000 or 2,00', 200_000, 200],
    ['1,250', 'write 1250 or 1,25', 125_000, 125],
    ['12.500', 'write 12500 or 12.50', 1_250_000, 1_250],
  ])(
    '%s between tabs is refused, and both suggested spellings are accepted',
    async (cell, both, ...minor) => {
      const { id, sku } = await make.product(adminWorld.world.db, { sku: `TABS-${cell}`, priceMinor: 777 });
      const priced = (price: string) => send(`sku\tprice\tweight\n${sku}\t${price}\t0,750\n`);
      const answer = await priced(cell);
      expect(answer.body.data.rows[0].errors).toEqual({ price: [`is ambiguous: ${both}`] });
      expect(await kept(id)).toMatchObject({ priceMinor: 777 });
      for (const [i, spelling] of both.replace('write ', '').split(' or ').entries()) {
        await priced(spelling);
        expect(await kept(id)).toMatchObject({ priceMinor: minor[i], weightGrams: 750 });
      }
    },
  );

  test('a weight with three decimals is written with a fourth', async () => {
    const { id } = await make.product(adminWorld.world.db, { sku: 'GRAMS' });
    const answer = await send('sku;weight\nGRAMS;1,125\n');
    expect(answer.body.data.rows[0].errors).toEqual({ weight: ['is ambiguous: write 1125 or 1,1250'] });
    expect(outcomesOf(await send('sku;weight\nGRAMS;1,1250\n'))).toEqual([[2, 'UPDATED', []]]);
    expect(await kept(id)).toMatchObject({ weightGrams: 1125 });
  });

  test('a decimal comma is none where commas separate', async () => {
    await make.product(adminWorld.world.db, { sku: 'COMMA' });
    expect(outcomesOf(await send('sku,price\nCOMMA,"12,50"\n'))).toEqual([[2, 'REFUSED', ['price']]]);
  });

  test('TRUE and FALSE are accepted as a German spreadsheet writes them', async () => {
    const rows = [newRow('WAHR', { trackInventory: 'WAHR' }), newRow('FALSCH', { trackInventory: 'FALSCH' })];
    const answer = await send(fileOf(rows));
    const tracked = [];
    for (const { productId } of answer.body.data.rows as { productId: string }[])
      tracked.push((await kept(productId))?.['trackInventory']);
    expect(tracked).toEqual([true, false]);
  });
});

describe('what is said of a file that cannot be read', () => {
  const expected =
    'sku, name, description, shortDescription, price, compareAtPrice, category, status, stockQuantity, trackInventory, ' +
    'weight, length, width, height, attributes, tags, commissionPercentage, careerPointsPercentage, stockCount';

  test.each<[string, string, string]>([
    ['an open quotation mark', 'sku,name\nA,"never\n', 'line 2: a quotation mark is not closed'],
    [
      'an open quotation mark after rows of several lines',
      'sku,name\r\nA,"one\r\ntwo"\r\nB,"never\r\nC,c\r\n',
      'line 4: a quotation mark is not closed',
    ],
    [
      'text after a quotation mark',
      'sku;name\nA;"12" screen"\n',
      'line 2: a quotation mark is followed by other text; within a cell it is written twice',
    ],
    [
      'a quotation mark within a cell',
      'sku,name\nA,a\nB,12" screen\n',
      'line 3: a quotation mark is within a cell that does not begin with one',
    ],
    [
      'a row too long',
      `sku,name\nA,a\nB,${'x'.repeat(200_001)}\n`,
      'line 3: the row is too long, or a quotation mark is not closed',
    ],
    [
      'unknown columns',
      'sku;prise;;Farbe\na;1;2;3\n',
      `has unknown columns: "prise", "Farbe"; known are ${expected}`,
    ],
    ['one column in two spellings', 'sku,price,PRICE\na,1,2\n', 'has the column price twice'],
    ['no column sku', 'name,price\na,1\n', 'has no column sku'],
    ['nothing', '', 'must begin with a line of columns'],
    ['too many rows', `sku\n${'A\n'.repeat(5_001)}`, 'must have at most 5000 rows'],
  ])('%s', async (_what, file, message) => {
    const { status, body } = await send(file);
    expect([status, body.error.code, body.error.details]).toEqual([
      400,
      'VALIDATION_ERROR',
      { file: [message] },
    ]);
  });
});
