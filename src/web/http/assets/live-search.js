// Live search: the list follows while the user types or chooses a filter. The same page is fetched, and its count and
// results replace those shown. Without this script, the form is submitted as usual.

const PAUSE_MS = 200;
const form = document.querySelector('form[data-live]');
const field = form.elements.q;
let timer;
let running = new AbortController();

const addressOf = () => {
  const inputs = [...new FormData(form)].filter(([, value]) => value !== '');
  return inputs.length > 0 ? `${form.action}?${new URLSearchParams(inputs)}` : form.action;
};

async function search() {
  clearTimeout(timer);
  running.abort();
  running = new AbortController();
  const { signal } = running;
  const address = addressOf();
  try {
    const response = await fetch(address, { signal });
    const page = new DOMParser().parseFromString(await response.text(), 'text/html');
    if (signal.aborted) return;
    const results = page.getElementById('results');
    // The session may have ended; the login page is then shown instead.
    if (!results) return location.assign(address);
    const shown = document.getElementById('results');
    shown.replaceChildren(...results.childNodes);
    shown.dispatchEvent(new Event('replaced', { bubbles: true }));
    document.getElementById('result-count').textContent = page.getElementById('result-count').textContent;
    history.replaceState(null, '', address);
    for (const next of document.querySelectorAll('[name=next]'))
      next.value = location.pathname + location.search;
  } catch (error) {
    // The form can still be submitted.
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
