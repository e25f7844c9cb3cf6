// Faults with a wrong response, and their outcome at each call.

import {
  failed,
  foundLater,
  listed,
  made,
  paused,
  type Row,
  SECRETS,
  unreadable,
  unreadableFoundLater,
} from './outcomes.ts';

/** An error instead of the response. */
const refused = (says: RegExp) => ({
  login: failed(says),
  create: failed(says),
  list: listed(foundLater(says)),
});

/** A successful status with an unreadable body; the request is carried out nevertheless. */
const spoilt = {
  login: failed(/./),
  create: made,
  list: listed(unreadableFoundLater),
};

const noSession = /without a session|not a list/;

export const responseRows: Row[] = [
  { kind: 'status', ...refused(/failed.* \(500\)/) },
  { kind: 'status', settings: { status: 500, written: true }, create: made },
  { kind: 'status', settings: { status: 503, body: 'html' }, ...refused(/failed.* \(503\)/) },
  { kind: 'status', settings: { status: 503, body: 'html', written: true }, create: made },
  { kind: 'status', settings: { status: 504, body: 'text', written: true }, create: made },
  { kind: 'status', settings: { status: 400 }, ...refused(/refuse.* \(400\)/) },
  { kind: 'status', settings: { status: 404, body: 'html' }, ...refused(/refuse.* \(404\)/) },
  { kind: 'status', settings: { status: 408, body: 'empty' }, ...refused(/refuse.* \(408\)/) },
  // A successful status with an empty body: the controller returned no voucher, but may have created one.
  { kind: 'status', settings: { status: 204, body: 'empty' }, login: failed(/./), create: unreadable },
  { kind: 'status', settings: { status: 204, body: 'empty', written: true }, create: made },
  // A secret that the controller repeats is not passed on, with or without a name before it.
  {
    kind: 'status',
    settings: { status: 400, text: `password=${SECRETS.password} X-API-KEY: ${SECRETS.apiKey}` },
    note: 'repeating named secrets',
    ...refused(/\(400\)/),
  },
  {
    kind: 'status',
    settings: { status: 400, text: `who is ${SECRETS.password} or ${SECRETS.apiKey}?` },
    note: 'repeating bare secrets',
    ...refused(/\(400\)/),
  },
  { kind: 'restarting', ...refused(/failed.* \(502\)/) },
  { kind: 'restarting', settings: { written: true }, create: made },
  { kind: 'restarting', settings: { times: 1 }, list: listed(made) },

  { kind: 'html', ...spoilt, login: failed(noSession) },
  { kind: 'html', settings: { written: false }, create: unreadable },
  { kind: 'html', settings: { times: 1 }, list: listed(made) },
  { kind: 'html', settings: { text: '<script>[[{"a":1}]]</script>' }, note: 'with a script', ...spoilt },
  { kind: 'empty', ...spoilt, login: failed(noSession) },
  { kind: 'empty', settings: { written: false }, create: unreadable },
  { kind: 'garbage', ...spoilt, login: failed(noSession) },
  { kind: 'garbage', settings: { written: false }, create: unreadable },
  { kind: 'wrong-json', ...spoilt, login: failed(noSession) },
  { kind: 'wrong-json', settings: { written: false }, create: unreadable },
  { kind: 'wrong-json', settings: { text: '{"data":{"vouchers":null}}' }, note: 'an object', ...spoilt },
  // The headers of a login response contain all that is needed.
  { kind: 'truncated-json', ...spoilt, login: { unifi: failed(noSession), classic: made } },
  { kind: 'truncated-json', settings: { written: false }, create: unreadable },
  { kind: 'trailing-garbage', ...spoilt, login: { unifi: failed(noSession), classic: made } },
  { kind: 'wrong-content-type', login: made, create: made, list: made },

  { kind: 'redirect', ...refused(/redirects .*\(302\)/) },
  { kind: 'redirect', settings: { status: 307 }, ...refused(/redirects .*\(307\)/) },
  // A server responds with 303 (See Other) after it has carried out the request.
  { kind: 'redirect', settings: { status: 303, written: true }, create: made },
  {
    kind: 'rc-error',
    login: failed(noSession),
    create: { unifi: unreadable, classic: failed(/api\.err\.Invalid/) },
    list: listed(foundLater(/api\.err\.Invalid/)),
  },
  {
    kind: 'wrong-site',
    login: { unifi: failed(/\(404\)/), classic: failed(/refuses the login/) },
    create: { unifi: failed(/Site not found/), classic: failed(/no site "default"/) },
    list: listed(foundLater(/no site "default"/)),
  },
  {
    kind: 'no-permission',
    login: { unifi: failed(/role is too low/), classic: failed(/refuses the login/) },
    create: { unifi: failed(/role is too low/), classic: failed(/may not do this .*NoPermission/) },
    list: listed(foundLater(/may not do this .*NoPermission/)),
  },
  {
    kind: 'unauthorized',
    login: { unifi: failed(/rejects the API key/), classic: failed(/refuses the login/) },
    create: { unifi: failed(/rejects the API key/), classic: failed(/does not accept the session/) },
    list: listed(foundLater(/does not accept the session/)),
  },
  { kind: 'rate-limited', login: paused, create: paused, list: listed(foundLater(/\(429\)/)) },
  { kind: 'rate-limited', settings: { times: 1 }, create: paused, list: listed(made) },
];
