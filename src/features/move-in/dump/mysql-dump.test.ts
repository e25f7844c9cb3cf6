// Tests reading dumps as MySQL and MariaDB write them, cut into parts of any size, and refusing broken and foreign
// files with the number of the line.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type DumpRow, readDump } from './mysql-dump.ts';

const TABLES = { sites: ['id', 'name'], users: ['id', 'email', 'name'] };

async function rowsOf(text: string | Uint8Array, partLength = 65_536): Promise<DumpRow[]> {
  const bytes = typeof text === 'string' ? Buffer.from(text) : text;
  async function* parts() {
    for (let start = 0; start < bytes.length; start += partLength)
      yield bytes.subarray(start, start + partLength);
  }
  const rows: DumpRow[] = [];
  for await (const found of readDump(parts(), TABLES)) rows.push(...found);
  return rows;
}

const namesIn = async (text: string, partLength?: number) =>
  (await rowsOf(text, partLength)).map(({ fields }) => fields.get('name'));

const DUMP = `-- MariaDB dump 10.19  Distrib 10.11
/*M!999999\\- enable the sandbox mode */
/*!40103 SET TIME_ZONE='+02:00' */;
DROP TABLE IF EXISTS \`users\`;
CREATE TABLE \`users\` (
  \`id\` int(11) NOT NULL AUTO_INCREMENT COMMENT 'a; \\'b\\'',
  \`name\` varchar(255) DEFAULT NULL,
  \`email\` varchar(255) NOT NULL,
  PRIMARY KEY (\`id\`),
  KEY \`name\` (\`name\`)
) ENGINE=InnoDB;
LOCK TABLES \`users\` WRITE;
/*!40000 ALTER TABLE \`users\` DISABLE KEYS */;
INSERT INTO \`users\` VALUES (1,'Ada','ada@example.org'),
(2,NULL,'b@example.org');
UNLOCK TABLES;
INSERT INTO \`other\` VALUES (1,'; (','\\'',0x00FF,-1.5e3);
DELIMITER ;;
CREATE PROCEDURE p() BEGIN INSERT INTO sites VALUES (9,'no'); END ;;
DELIMITER ;
# a comment
INSERT IGNORE INTO \`tool\`.\`sites\` (\`name\`, \`id\`) VALUES ('O\\'Brien "x" \\\\ ; -- \\n\\0\\Z''y', 7) , (x'C3A4', 8), (_binary 'ü🎫', 0009);
-- Dump completed on 2026-01-15
`;

test('rows are read with and without names of columns, wherever the file is cut', async () => {
  for (const partLength of [1, 7, 64, 65_536]) {
    const rows = await rowsOf(DUMP, partLength);
    assert.deepEqual(
      rows.map(({ table, line, zone, fields }) => [table, line, zone, Object.fromEntries(fields)]),
      [
        ['users', 14, '+02:00', { id: '1', name: 'Ada', email: 'ada@example.org' }],
        ['users', 15, '+02:00', { id: '2', name: null, email: 'b@example.org' }],
        ['sites', 22, '+02:00', { name: `O'Brien "x" \\ ; -- \n\0\x1a'y`, id: '7' }],
        ['sites', 22, '+02:00', { name: 'ä', id: '8' }],
        ['sites', 22, '+02:00', { name: 'ü🎫', id: '0009' }],
      ],
    );
  }
});

test('without names and without CREATE TABLE the usual order counts', async () => {
  assert.deepEqual(await namesIn("INSERT INTO sites VALUES (1,'Haus A');"), ['Haus A']);
});

test('a server without backslash escapes writes backslashes as they are', async () => {
  const mode = "/*!40101 SET @OLD_SQL_MODE=@@SQL_MODE, SQL_MODE='NO_BACKSLASH_ESCAPES' */;";
  assert.deepEqual(await namesIn(`${mode} INSERT INTO sites VALUES (1,'a\\''b\\');`), ["a\\'b\\"]);
});

const broken: [what: string, text: string | Uint8Array, error: RegExp][] = [
  ['a cut text', "INSERT INTO sites VALUES (1,'Ha", /line 1 .*ends in the middle of a text/],
  ['a cut row', "\nINSERT INTO sites VALUES (1,'A'),\n(2", /line 3 .*ends in the middle/],
  ['a cut statement', 'SET NAMES utf8', /ends in the middle/],
  ['a cut comment', '/* never ends', /ends in the middle of a comment/],
  ['a row too few', "INSERT INTO sites VALUES (1,'A'),", /ends in the middle of a statement/],
  ['a dump without its end', "-- MySQL dump 10.13\nINSERT INTO sites VALUES (1,'A');\n", /not complete/],
  [
    'a dump without its end and without comments',
    '/*!40111 SET @OLD_SQL_NOTES=@@SQL_NOTES */;\n',
    /not complete/,
  ],
  [
    'a row with too many values',
    "\n\nINSERT INTO sites VALUES (1,'A',3);",
    /line 3 .*3 values for 2 columns/,
  ],
  ['an expression', 'INSERT INTO sites VALUES (1,now());', /neither a text nor a number/],
  ['a select', 'INSERT INTO sites SELECT * FROM x;', /expected VALUES/],
  [
    'a dump of PostgreSQL',
    "SELECT pg_catalog.set_config('search_path', '', false);",
    /not a dump by mysqldump/,
  ],
  ['a dump of SQLite', 'PRAGMA foreign_keys=OFF;', /not a dump by mysqldump/],
  ['a web page', '<!doctype html>', /line 1 .*not a dump by mysqldump/],
  ['JSON', '\n{"sites":[]}', /line 2 .*not a dump by mysqldump/],
  ['two databases', 'USE `a`;\nUSE `b`;', /line 2 .*several databases/],
  ['a compressed file', Buffer.from([0x1f, 0x8b, 8, 0]), /compressed/],
  ['a file of PowerShell', Buffer.from('\ufeffINSERT', 'utf16le'), /UTF-16/],
  [
    'latin1',
    Buffer.from("INSERT INTO sites VALUES (1,'B\xfcro');", 'latin1'),
    /not UTF-8, but probably ANSI \(Latin-1/,
  ],
  ['nested parentheses', `INSERT INTO sites VALUES ${'('.repeat(200_000)}`, /nested in parentheses/],
  ['very many character sets', `INSERT INTO sites VALUES (${'_a '.repeat(200_000)}`, /neither a text nor/],
  ['a name of very many parts', `INSERT INTO ${'a.'.repeat(200_000)}a SELECT 1;`, /expected VALUES/],
  ['a very long row', `INSERT INTO sites VALUES (1,'${'x'.repeat(9_000_000)}`, /too long|ends in the middle/],
  ['very many columns', `INSERT INTO sites VALUES (${'1,'.repeat(500)}1);`, /too many columns/],
];

for (const [what, text, error] of broken)
  test(`refused with the number of the line: ${what}`, async () => {
    await assert.rejects(rowsOf(text), error);
  });

test('a name of a column that objects have too is only a name', async () => {
  const [row] = await rowsOf("INSERT INTO sites (`__proto__`, `id`) VALUES ('x', 1);");
  assert.deepEqual([row?.fields.get('__proto__'), row?.fields.get('name')], ['x', undefined]);
});

test('a hundred thousand rows in one statement are read in parts', async () => {
  const rows = Array.from({ length: 100_000 }, (_, index) => `(${index + 1},'Haus ${index}')`);
  const found = await rowsOf(`INSERT INTO sites VALUES ${rows.join(',\n')};`);
  assert.deepEqual([found.length, found.at(-1)?.line], [100_000, 100_000]);
});
