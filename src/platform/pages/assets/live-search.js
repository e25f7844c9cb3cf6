// Live search: the list follows while the user types, chooses a filter, or opens a batch. The page with the new list is
// fetched, and its count and results replace those shown. Without this script, the browser opens that page.

const PAUSE_MS = 200;
const form = document.querySelector('form[data-live]');
const field = form.elements.q;
let timer;
let running = new AbortController();

const addressOf = () => {
  const inputs = [...new FormData(form)].filter(([, value]) => value !== '');
  return inputs.length > 0 ? `${form.action}?${new URLSearchParams(inputs)}` : form.action;
};

// The names of printers stand once in the page, to keep it small.
function namePrinters() {
  for (const button of document.querySelectorAll('.menu [form]'))
    button.append(` · ${button.form.dataset.name}`);
}
namePrinters();

const search = () => show(addressOf());

async function show(address) {
  clearTimeout(timer);
  running.abort();
  running = new AbortController();
  const { signal } = running;
  try {
    const response = await fetch(address, { signal });
    const page = new DOMParser().parseFromString(await response.text(), 'text/html');
    if (signal.aborted) return;
    const results = page.getElementById('results');
    // The session may have ended; the login page is then shown instead.
    if (!results) return location.assign(address);
    const shown = document.getElementById('results');
    shown.replaceChildren(...results.childNodes);
    namePrinters();
    shown.dispatchEvent(new Event('replaced', { bubbles: true }));
    document.getElementById('result-count').textContent = page.getElementById('result-count').textContent;
    history.replaceState(null, '', address);
    for (const next of document.querySelectorAll('[name=next]'))
      next.value = location.pathname + location.search;
  } catch (error) {
    // The form can still be submitted, and the link be followed.
    if (!signal.aborted) console.warn(error);
  }
}

field.addEventListener('input', () => {
  clearTimeout(timer);
  running.abort();
  timer = setTimeout(search, PAUSE_MS);
});
form.addEventListener('change', ({ target }) => target !== field && search());
form.addEventListener('submit', () => clearTimeout(timer));

// A name may not fit into its column, so it is also shown when the mouse points at it.
document.getElementById('results').addEventListener('mouseover', ({ target }) => {
  if (target.matches('.listed')) target.title = target.textContent;
});

document.getElementById('results').addEventListener('click', async (event) => {
  const link = event.target.closest('[aria-expanded]');
  if (!link || event.ctrlKey || event.metaKey || event.shiftKey) return;
  event.preventDefault();
  await show(link.href);
  document.querySelector(`${link.hash} .listed`)?.focus({ preventScroll: true });
});
