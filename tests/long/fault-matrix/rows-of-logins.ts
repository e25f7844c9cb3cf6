// Faults of logins and sessions, and their outcome at each call. An API key has no session to lose: for it, these
// faults are errors.

import { failed, foundLater, listed, made, paused, type Row } from './outcomes.ts';

const badKey = failed(/rejects the API key/);
const noLogin = failed(/refuses the login/);

export const loginRows: Row[] = [
  {
    kind: 'session-expired',
    login: { unifi: badKey, classic: noLogin },
    create: { unifi: badKey, classic: failed(/does not accept the session/) },
    list: listed(foundLater(/does not accept the session/)),
  },
  // The controller refuses the session: the driver logs in once more and repeats the call.
  {
    kind: 'session-expired',
    settings: { times: 1 },
    create: { unifi: badKey, classic: made },
    list: listed(made),
  },
  {
    kind: 'unauthorized',
    settings: { times: 1 },
    create: { unifi: badKey, classic: made },
    list: listed(made),
  },
  {
    kind: 'login-limit',
    login: paused,
    create: paused,
    list: listed(foundLater(/\(429\)/)),
  },
  {
    kind: 'mfa',
    login: { unifi: failed(/\(499\)/), classic: failed(/second factor: make a local administrator/) },
    create: failed(/refused \(4\d\d\)/),
    list: listed(foundLater(/refused \(4\d\d\)/)),
  },
  {
    kind: 'csrf-refused',
    login: { unifi: failed(/\(403\)/), classic: noLogin },
    create: failed(/\(403\): Invalid CSRF Token/),
    list: listed(foundLater(/\(403\): Invalid CSRF Token/)),
  },
  {
    kind: 'csrf-refused',
    settings: { times: 1 },
    create: { unifi: failed(/\(403\)/), classic: made },
    list: listed(made),
  },
  { kind: 'csrf-renewed', login: made, create: made, list: made },
];
