// Tests the client's IP address and the scheme: forwarding headers count only if they come from a trusted proxy.

import assert from 'node:assert/strict';
import { IncomingMessage } from 'node:http';
import { Socket } from 'node:net';
import { test } from 'node:test';
import { TLSSocket } from 'node:tls';
import { makeProxies } from './proxies.ts';

const PROXY = '10.0.0.1';

function message(peer: string, headers: Record<string, string> = {}): IncomingMessage {
  const socket = new Socket();
  Object.defineProperty(socket, 'remoteAddress', { value: peer });
  const made = new IncomingMessage(socket);
  Object.assign(made.headers, headers);
  return made;
}

const from = (peer: string, forwardedFor?: string) =>
  message(peer, forwardedFor === undefined ? {} : { 'x-forwarded-for': forwardedFor });
const over = (peer: string, proto: string) => message(peer, { 'x-forwarded-proto': proto });

test('without trusted proxies only the connection counts', () => {
  const { clientIp, isHttps } = makeProxies([]);
  assert.equal(clientIp(from('203.0.113.9', '198.51.100.1')), '203.0.113.9');
  assert.equal(isHttps(over('203.0.113.9', 'https')), false);
  assert.equal(isHttps(over('127.0.0.1', 'https')), false);
});

test('a trusted proxy reports the client’s IP address and the scheme', () => {
  const { clientIp, isHttps } = makeProxies([PROXY]);
  assert.equal(clientIp(from(PROXY, '203.0.113.9')), '203.0.113.9');
  assert.equal(isHttps(over(PROXY, 'https')), true);
  assert.equal(isHttps(over(PROXY, 'HTTPS')), true);
  assert.equal(isHttps(over(PROXY, 'http')), false);
  assert.equal(isHttps(from(PROXY)), false);
});

test('trusted and other clients are told apart, however many there are', () => {
  const { clientIp } = makeProxies(['10.0.0.0/8']);
  for (let round = 0; round < 2; round++)
    for (let count = 0; count < 1_500; count++) {
      const host = `0.${count >> 8}.${count & 255}`;
      assert.equal(clientIp(from(`10.${host}`, '203.0.113.9')), '203.0.113.9');
      assert.equal(clientIp(from(`11.${host}`, '203.0.113.9')), `11.${host}`);
    }
});

test('forwarding headers from any other client are ignored', () => {
  const { clientIp, isHttps } = makeProxies([PROXY]);
  assert.equal(clientIp(from('10.0.0.2', '203.0.113.9')), '10.0.0.2');
  assert.equal(isHttps(over('10.0.0.2', 'https')), false);
});

test('in a chain the last IP address that is not a trusted proxy counts', () => {
  const { clientIp } = makeProxies(['10.0.0.0/8']);
  assert.equal(clientIp(from(PROXY, '1.1.1.1, 203.0.113.9, 10.2.3.4')), '203.0.113.9');
  assert.equal(clientIp(from(PROXY, '10.9.9.9, 10.2.3.4')), '10.9.9.9');
});

test('of several schemes, the one that the trusted proxy added counts', () => {
  const { isHttps } = makeProxies([PROXY]);
  assert.equal(isHttps(over(PROXY, 'http, https')), true);
  assert.equal(isHttps(over(PROXY, 'https, http')), false);
});

test('an entry that is not an IP address ends the search', () => {
  const { clientIp } = makeProxies([PROXY]);
  for (const header of ['unknown', '', '<script>', '203.0.113.9, unknown'])
    assert.equal(clientIp(from(PROXY, header)), PROXY, header);
});

test('IP ranges and IPv6 proxies are accepted', () => {
  const { clientIp } = makeProxies(['192.168.0.0/16', 'fd00::/8', '2001:db8::1']);
  for (const proxy of ['192.168.255.1', 'fd12::1', '2001:db8::1'])
    assert.equal(clientIp(from(proxy, '203.0.113.9')), '203.0.113.9', proxy);
  for (const stranger of ['192.169.0.1', 'fe80::1', '2001:db8::2'])
    assert.equal(clientIp(from(stranger, '203.0.113.9')), stranger);
  assert.equal(clientIp(from('fd12::1', '2001:db8:1::9')), '2001:db8:1::9');
});

test('a proxy that is not trusted is reported once for each connection', () => {
  const reported: string[] = [];
  const { reportUntrusted } = makeProxies([PROXY], (ip) => reported.push(ip));
  reportUntrusted(from(PROXY, '203.0.113.9'));
  reportUntrusted(from('10.0.0.2'));
  const request = from('::ffff:10.0.0.3', '203.0.113.9');
  for (let times = 0; times < 3; times++) reportUntrusted(request);
  assert.deepEqual(reported, ['10.0.0.3']);
});

test('an IPv4 range may be written as IPv6', () => {
  for (const trusted of ['::ffff:10.0.0.1', '::ffff:10.0.0.0/104'])
    assert.equal(makeProxies([trusted]).clientIp(from(PROXY, '203.0.113.9')), '203.0.113.9', trusted);
});

test('an IPv4 client on an IPv6 socket has its IPv4 address', () => {
  const { clientIp } = makeProxies([PROXY]);
  assert.equal(clientIp(from('::ffff:10.0.0.1', '203.0.113.9')), '203.0.113.9');
  assert.equal(clientIp(from('::ffff:203.0.113.9')), '203.0.113.9');
});

test('a TLS connection is https, whatever the client', () => {
  const { isHttps } = makeProxies([]);
  assert.equal(isHttps(new IncomingMessage(new TLSSocket(new Socket()))), true);
});

test('a disconnected client has no IP address and causes no error', () => {
  assert.equal(makeProxies([PROXY]).clientIp(new IncomingMessage(new Socket())), '');
});
