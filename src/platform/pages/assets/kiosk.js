// The script of a kiosk. Everything works without it: it keeps the screen awake, sends a forgotten form back to the
// start, counts down, follows a request that waits, and shows a note instead of an error of the browser while the
// service does not answer.

const START = '/screen';
const RENEW_MS = 60_000;
const FORGOTTEN_MS = 120_000;
const ANSWER_MS = 4_000;
const POLL_MS = 5_000;
// After this time, the guest who sent a form has left: the code must not appear for somebody else.
const GIVE_UP_MS = 60_000;

const form = document.querySelector('.kiosk form');
const countdown = document.querySelector('[data-seconds]');
const offline = document.querySelector('.offline');

// A page that the browser has kept must not be seen by the next guest, not even while the start is loading.
addEventListener('pagehide', () => {
  document.querySelector('.panel').hidden = true;
});
addEventListener('pageshow', ({ persisted }) => {
  if (persisted) toStart();
});

// Keep the screen on. The browser gives the lock back whenever the page is hidden.
async function stayAwake() {
  if (document.visibilityState !== 'visible') return;
  await navigator.wakeLock?.request('screen').catch(() => {});
}
document.addEventListener('visibilitychange', stayAwake);
stayAwake();

for (const kind of ['contextmenu', 'dragstart'])
  document.addEventListener(kind, (event) => {
    if (!event.target.closest?.('input')) event.preventDefault();
  });

async function answers() {
  try {
    await fetch(START, { method: 'HEAD', cache: 'no-store', signal: AbortSignal.timeout(ANSWER_MS) });
    return true;
  } catch {
    return false;
  }
}

// A page that cannot be loaded would leave an error of the browser on the screen.
async function whenAnswering(goOn) {
  while (!(await answers())) {
    offline.hidden = false;
    await new Promise((resolve) => setTimeout(resolve, POLL_MS));
  }
  goOn();
}

const toStart = () => whenAnswering(() => location.replace(START));

if (form) {
  let touchedAt = performance.now();
  for (const kind of ['pointerdown', 'keydown', 'input', 'scroll'])
    addEventListener(
      kind,
      () => {
        touchedAt = performance.now();
      },
      { passive: true, capture: true },
    );
  const isFilled = () =>
    location.search !== '' ||
    document.querySelector('#errors, details[open]') !== null ||
    [...form.querySelectorAll('input:not([type=hidden]), textarea')].some((input) =>
      input.type === 'checkbox' ? input.checked : input.value !== '',
    );
  let isLeaving = false;
  setInterval(() => {
    const idleMs = performance.now() - touchedAt;
    if (isLeaving || idleMs < (isFilled() ? FORGOTTEN_MS : RENEW_MS)) return;
    isLeaving = true;
    toStart();
  }, 1_000);

  form.addEventListener('submit', (event) => {
    event.preventDefault();
    if (isLeaving) return;
    isLeaving = true;
    const { submitter } = event;
    const chosen = document.createElement('input');
    chosen.type = 'hidden';
    chosen.name = submitter.name;
    chosen.value = submitter.value;
    form.append(chosen);
    form.classList.add('busy');
    submitter.classList.add('chosen');
    (submitter.querySelector('.offer-limits') ?? submitter).textContent = form.dataset.working;
    const sentAt = performance.now();
    whenAnswering(() => {
      if (performance.now() - sentAt < GIVE_UP_MS) form.submit();
      else location.replace(START);
    });
  });
}

// The header `Refresh` leads back to the start. The script only says when.
if (countdown) {
  const endsAt = performance.now() + countdown.dataset.seconds * 1_000;
  setInterval(() => {
    const left = Math.max(0, Math.ceil((endsAt - performance.now()) / 1_000));
    countdown.textContent = countdown.dataset.left.replace('{seconds}', left);
  }, 1_000);
}

// The page of a request redirects as soon as the request is decided, or the time to wait here is over.
const waiting = document.querySelector('[data-follow]');
if (waiting)
  setInterval(async () => {
    const options = { method: 'HEAD', cache: 'no-store', redirect: 'manual' };
    const response = await fetch(location.href, { ...options, signal: AbortSignal.timeout(ANSWER_MS) }).catch(
      () => undefined,
    );
    offline.hidden = response !== undefined;
    if (response?.type === 'opaqueredirect') location.replace(location.href);
  }, waiting.dataset.follow * 1_000);
