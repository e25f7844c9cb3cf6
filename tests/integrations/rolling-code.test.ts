// The file in integrations/ that shows a rolling code in Home Assistant, and what docs/integrations.md says about it:
// its requests are sent, and its templates are evaluated with the responses. Home Assistant itself is not run.

import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { after, before, beforeEach, test } from 'node:test';
import { parse } from 'yaml';
import { MAX_LOOKS } from '../../src/features/screens/open-rolling-path.ts';
import { DEFAULT_IDLE_MINUTES } from '../../src/features/screens/screen.ts';
import { makePathToken } from '../../src/platform/secrets/token.ts';
import { addRolling, type RollingGround, redeem } from '../rolling/ground.ts';
import { readPngBits } from '../support/read-png.ts';
import { startTestService, type TestService } from '../support/test-service.ts';

interface Package {
  rest: {
    resource: string;
    scan_interval: number;
    sensor: { name: string; availability: string; value_template: string; json_attributes: string[] }[];
  }[];
  template: {
    triggers: { trigger: string; entity_id?: string }[];
    image: { name: string; url: string }[];
  }[];
  recorder: { exclude: { entities: string[] } };
}

const read = (path: string) => readFileSync(new URL(`../../${path}`, import.meta.url), 'utf8');
const FILE = read('integrations/home-assistant-rolling-code.yaml');
/** The address that users replace with their own. */
const PLACEHOLDER = 'https://wifi.example.org/rolling/TOKEN';

/** The blocks of YAML in the section of the guide. */
const [SECRETS, VIEW] = yamlBlocks('### Rolling code on a wall tablet');

function yamlBlocks(heading: string) {
  const [, section = ''] = read('docs/integrations.md').split(`\n${heading}\n`);
  const [text = ''] = section.split(/\n##+ /);
  return [...text.matchAll(/^ {3}```yaml\n(.*?)^ {3}```/gms)].map(([, code = '']) => parse(code));
}

let service: TestService;
let screen: RollingGround;
before(async () => {
  service = await startTestService({ jobs: false });
  service.change('update sites set imports_foreign = 0');
});
beforeEach(() => {
  screen = addRolling(service);
});
after(() => service.stop());

/** What Home Assistant loads. `path` is the part of the addresses that contains the token. */
function load(path = screen.path): Package {
  const secret = {
    tag: '!secret',
    resolve(name: string) {
      assert.ok(SECRETS[name], `${name} is not in the guide`);
      return SECRETS[name].replace(PLACEHOLDER, service.url + path);
    },
  };
  return parse(FILE, { customTags: [secret] });
}

function only<T>(list: T[]): T {
  assert.equal(list.length, 1);
  const [one] = list;
  assert.ok(one);
  return one;
}

/** Makes an id of a name, as Home Assistant does. */
const idOf = (kind: string, { name }: { name: string }) =>
  `${kind}.${name.toLowerCase().replaceAll(/[^a-z0-9]+/g, '_')}`;

/** Evaluates the few expressions that the file uses: `value_json.a or value_json.b` and `value_json.a is defined`. */
function evaluate(template: string, json: Record<string, unknown>): unknown {
  const [, expression = ''] = /^\{\{ (.*) \}\}$/.exec(template) ?? [];
  const [, asked] = /^value_json\.(\w+) is defined$/.exec(expression) ?? [];
  if (asked) return asked in json;
  const values = expression.split(' or ').map((operand) => {
    const [, field = ''] = /^value_json\.(\w+)$/.exec(operand) ?? [];
    assert.ok(field in json, `${operand} in ${template}`);
    return json[field];
  });
  return values.find(Boolean) ?? values.at(-1);
}

/** The state and the attributes of the sensor. */
async function readSensor(file = load()) {
  const { resource, sensor } = only(file.rest);
  const { availability, value_template, json_attributes } = only(sensor);
  const json: Record<string, unknown> = JSON.parse(await (await fetch(resource)).text());
  if (!evaluate(availability, json)) return { state: 'unavailable', attributes: {} };
  const attributes = Object.fromEntries(
    json_attributes.map((name) => {
      assert.ok(name in json, name);
      return [name, json[name]];
    }),
  );
  return { state: evaluate(value_template, json), attributes };
}

const fetchPicture = () => fetch(only(only(load().template).image).url);

test('the state of the sensor is the code, and its attributes are the other fields of the response', async () => {
  await screen.fill();
  const { code: _, formatted_code, ...rest } = await screen.look();
  assert.deepEqual(await readSensor(), { state: formatted_code, attributes: rest });
});

test('the state of the sensor says why there is no code, and is unavailable if the address is wrong', async () => {
  assert.equal((await readSensor()).state, 'preparing');
  service.change('update sites set active = 0');
  try {
    assert.equal((await readSensor()).state, 'none');
  } finally {
    service.change('update sites set active = 1');
  }
  assert.equal((await readSensor(load(`/rolling/${makePathToken().token}`))).state, 'unavailable');
});

test('the picture has the size in the secrets and another content after the code was used', async () => {
  await screen.fill(2);
  const response = await fetchPicture();
  assert.equal(response.headers.get('content-type'), 'image/png');
  const first = Buffer.from(await response.arrayBuffer());
  const { width, height } = readPngBits(first);
  assert.deepEqual([width, height], [1280, 800]);
  await redeem(service, (await screen.look()).code);
  assert.notDeepEqual(Buffer.from(await (await fetchPicture()).arrayBuffer()), first);
});

test('the addresses are secrets, and only the service of Home Assistant knows them', () => {
  assert.deepEqual(
    [...FILE.matchAll(/!secret (\w+)/g)].map(([, name]) => name).sort(),
    Object.keys(SECRETS).sort(),
  );
  const settings = FILE.replaceAll(/^ *#.*$/gm, '');
  assert.doesNotMatch(settings + JSON.stringify(VIEW), /\/rolling\/|https?:/);
  for (const [name, address] of Object.entries(SECRETS))
    assert.ok(FILE.includes(`#   ${name}: "${address}"\n`), `${name} at the top of the file`);
});

test('the picture follows the sensor, the view shows the picture, and the history has no codes', () => {
  const { rest, template, recorder } = load();
  const { triggers, image } = only(template);
  const sensor = idOf('sensor', only(only(rest).sensor));
  assert.deepEqual(
    triggers.flatMap(({ entity_id }) => entity_id ?? []),
    [sensor],
  );
  assert.deepEqual(recorder.exclude.entities, [sensor]);
  assert.equal(VIEW.cards[0].entity, idOf('image', only(image)));
});

test('Home Assistant asks often enough to get codes, and rarely enough for ten such tablets', () => {
  const { scan_interval } = only(load().rest);
  assert.ok(scan_interval < DEFAULT_IDLE_MINUTES * 60);
  assert.ok((60 / scan_interval) * 10 < MAX_LOOKS);
});
