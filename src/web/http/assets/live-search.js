// Live search: the list follows while the user types. The same page is fetched, and its chips, count and results
// replace those shown. Without this script, the form is submitted as usual.

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
  running.abort();
  running = new AbortController();
  const { signal } = running;
  const address = addressOf();
  try {
    const response = await fetch(address, { signal });
    const page = new DOMParser().parseFromString(await response.text(), 'text/html');
    if (signal.aborted) return;
    // The session may have ended; the login page is then shown instead.
    if (!page.getElementById('results')) return location.assign(address);
    for (const id of ['chips', 'results']) {
      const shown = document.getElementById(id);
      shown.replaceChildren(...page.getElementById(id).childNodes);
      shown.dispatchEvent(new Event('replaced', { bubbles: true }));
    }
    document.getElementById('result-count').textContent = page.getElementById('result-count').textContent;
    history.replaceState(null, '', address);
    for (const next of document.querySelectorAll('[name=next]'))
      next.value = location.pathname + location.search;
  } catch (error) {
    // The form can still be submitted.
    if (!signal.aborted) console.warn(error);
  }
}

const searchSoon = () => {
  clearTimeout(timer);
  running.abort();
  timer = setTimeout(search, PAUSE_MS);
};
field.addEventListener('input', searchSoon);
form.addEventListener('change', ({ target }) => target !== field && searchSoon());
form.addEventListener('submit', () => clearTimeout(timer));

// Browsers leave a chip half outside a scrolling line when it gets the focus.
document.getElementById('chips').addEventListener('focusin', ({ target }) => {
  target.scrollIntoView({ block: 'nearest', inline: 'nearest' });
});

// A chip that is chosen before the list has followed must not lose what was typed.
document.getElementById('chips').addEventListener('click', ({ target }) => {
  const chip = target.closest('a');
  if (!chip) return;
  clearTimeout(timer);
  const url = new URL(chip.href);
  for (const name of ['q', 'site']) {
    const value = form.elements[name]?.value;
    if (value) url.searchParams.set(name, value);
    else url.searchParams.delete(name);
  }
  chip.href = url;
});
