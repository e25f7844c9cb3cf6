// Keeps a screen with a rolling code up to date, and keeps it from turning dark. If the code has changed, the new page
// is fetched and its content put in place, so that the screen never turns blank.

const EVERY_MS = 2000;
/** After this many failures in a row, the page says that there is no connection. */
const FAILURES = 3;
let failures = 0;

const shown = () => document.querySelector('.rolling');

async function poll() {
  try {
    const { poll: path, code, state } = shown().dataset;
    const response = await fetch(path, { cache: 'no-cache', signal: AbortSignal.timeout(10000) });
    if (!response.ok) throw new Error(`${response.status}`);
    // The device is not paired any more.
    if (response.redirected) return location.reload();
    const now = await response.json();
    if ((now.formatted_code ?? '') !== code || now.state !== state) await renew();
    failures = 0;
  } catch {
    failures++;
  }
  document.querySelector('.lost').hidden = failures < FAILURES;
  setTimeout(poll, EVERY_MS);
}

async function renew() {
  const response = await fetch(location.pathname, { signal: AbortSignal.timeout(10000) });
  if (!response.ok) throw new Error(`${response.status}`);
  const page = new DOMParser().parseFromString(await response.text(), 'text/html');
  const next = page.querySelector('.rolling');
  if (next) shown().replaceWith(next);
  else location.reload();
}

async function stayAwake() {
  if (document.visibilityState !== 'visible') return;
  // Some browsers refuse it, for example if the battery is low.
  await navigator.wakeLock?.request('screen').catch(() => {});
}

document.addEventListener('visibilitychange', stayAwake);
stayAwake();
setTimeout(poll, EVERY_MS);
