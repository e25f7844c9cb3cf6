// Progressive enhancement: every page works without it. A part of a page that is replaced later sends the event
// `replaced`.

// Older browsers ignore `autofocus` on an element that is not a form field.
document.getElementById('errors')?.focus();

// Screen readers announce a message only if it changes after the page has opened.
for (const message of document.querySelectorAll('.message[role=status]'))
  setTimeout(() => message.replaceChildren(...message.childNodes), 200);

const onContent = (enhance) => {
  enhance(document);
  document.addEventListener('replaced', ({ target }) => enhance(target));
};

onContent((content) => {
  for (const button of content.querySelectorAll('[data-copy]')) offerCopy(button);
});

function offerCopy(button) {
  button.hidden = false;
  button.addEventListener('click', async () => {
    await copy(button);
    button.focus();
    const label = button.querySelector('span') ?? button;
    const before = label.textContent;
    label.textContent = button.closest('[data-copied]').dataset.copied;
    setTimeout(() => {
      label.textContent = before;
    }, 2_000);
  });
}

// The clipboard API is available only in secure contexts; elsewhere the text is selected and copied. It is selected
// next to the button: a menu with the button closes when the focus leaves it.
async function copy(button) {
  // The menu of a row has the code already.
  const text = button.dataset.copy || button.parentElement.querySelector('p').textContent;
  if (navigator.clipboard) return navigator.clipboard.writeText(text);
  const field = document.createElement('textarea');
  field.className = 'hidden-text';
  field.value = text;
  button.after(field);
  field.select();
  document.execCommand('copy');
  field.remove();
}

for (const button of document.querySelectorAll('[data-save]')) {
  button.hidden = false;
  button.addEventListener('click', () => {
    const secret = button.closest('.secret').querySelector('.secret-text').textContent;
    const link = document.createElement('a');
    link.href = URL.createObjectURL(new Blob([`${secret}\n`], { type: 'text/plain' }));
    link.download = button.dataset.save;
    link.click();
    setTimeout(() => URL.revokeObjectURL(link.href), 60_000);
  });
}

for (const form of document.querySelectorAll('form[data-working]'))
  form.addEventListener('submit', ({ submitter }) => {
    // Choosing a profile only fills in the form; nothing is created.
    if (submitter?.name === 'profile') return;
    const button = form.querySelector('button[type=submit]');
    // Disable the button only after the browser has collected the form data.
    setTimeout(() => {
      button.disabled = true;
      button.textContent = form.dataset.working;
    });
  });

// The response may show a secret: a second submission would discard that response.
for (const once of document.querySelectorAll('[name=once]')) {
  let isSent = false;
  once.form.addEventListener('submit', (event) => {
    if (isSent) event.preventDefault();
    isSent = true;
  });
  addEventListener('pageshow', () => {
    isSent = false;
  });
}

for (const button of document.querySelectorAll('[data-print]')) {
  button.hidden = false;
  button.addEventListener('click', () => {
    const first = document.getElementById('first');
    if (!first || first.value === first.defaultValue) return print();
    // The number of the first free label was typed but not applied.
    first.form.action += '#now';
    first.form.requestSubmit();
  });
  // A link with this fragment prints at once; a reload does not print again.
  if (location.hash === '#now') {
    history.replaceState(null, '', location.pathname + location.search);
    addEventListener('load', () => document.fonts.ready.then(() => print()));
  }
}

if (navigator.share)
  for (const button of document.querySelectorAll('[data-share]')) {
    button.hidden = false;
    // The promise is rejected if the user closes the share sheet.
    button.addEventListener('click', () => navigator.share({ text: button.dataset.share }).catch(() => {}));
  }

// A tap on an own value leads to its field. The arrow keys, whose clicks have no detail, stay among the choices.
for (const own of document.querySelectorAll('.own'))
  own.querySelector('[type=radio]')?.addEventListener('click', ({ detail }) => {
    if (detail > 0) own.querySelector('[type=number], [type=date]')?.focus();
  });

// A series of vouchers needs no mouse. On a touch screen the keyboard covers a part of the page, so it opens only if
// the user has just asked for another voucher.
for (const form of document.querySelectorAll('.again')) {
  const isSeries = sessionStorage.getItem('series') !== null;
  sessionStorage.removeItem('series');
  form.addEventListener('submit', () => sessionStorage.setItem('series', '1'));
  if (isSeries || matchMedia('(hover: hover)').matches)
    form.querySelector('#name')?.focus({ preventScroll: true });
}

// The dates of the nights follow the check-out time of the chosen site.
for (const end of document.querySelectorAll('.end[hidden]')) {
  const { site } = end.closest('form').elements;
  const tell = () => {
    end.hidden = site.selectedOptions[0].dataset.checkOut !== end.dataset.checkOut;
  };
  site.addEventListener('change', tell);
  addEventListener('pageshow', tell);
}

// Another site brings the values that were last chosen there, unless the user has already chosen some.
for (const site of document.querySelectorAll('select[data-choice]')) {
  const { form } = site;
  const filled = Object.keys(JSON.parse(site.dataset.choice)).concat('duration', 'unit', 'until', 'usesMore');
  let isChosen = false;
  form.addEventListener('change', ({ target }) => {
    if (filled.includes(target.name)) isChosen = true;
    if (target !== site || isChosen) return;
    const choice = JSON.parse(site.selectedOptions[0].dataset.choice ?? site.dataset.choice);
    for (const [name, value] of Object.entries(choice)) form.elements[name].value = value;
  });
}

// The printers follow the chosen site.
for (const printer of document.querySelectorAll('select[name=printer]')) {
  const { site } = printer.form.elements;
  const offer = () => {
    const { printers = '[]', printer: chosen } = site.selectedOptions[0].dataset;
    const choices = JSON.parse(printers);
    printer.replaceChildren(...choices.map(([value, label]) => new Option(label, value)));
    printer.value = chosen;
    printer.parentElement.hidden = choices.length === 0;
  };
  if (site.selectedOptions) site.addEventListener('change', offer);
}

// The dates of the nights are fetched again on another day.
for (const nights of document.querySelectorAll('.nights')) {
  const { form } = nights.querySelector('input');
  let day = new Date().toDateString();
  const refresh = async () => {
    const today = new Date().toDateString();
    if (document.hidden || today === day) return;
    const response = await fetch('/', { headers: { 'x-refresh': '1' } }).catch(() => undefined);
    if (!response?.ok || response.redirected) return;
    const page = new DOMParser().parseFromString(await response.text(), 'text/html');
    const fresh = page.querySelectorAll('.nights .end');
    const ends = nights.querySelectorAll('.end');
    if (fresh.length !== ends.length) return;
    for (const [index, end] of ends.entries()) end.textContent = fresh[index].textContent;
    const { min, max } = page.getElementById('until');
    Object.assign(form.elements.until, { min, max });
    form.elements.shown.value = page.querySelector('[name=shown]').value;
    day = today;
  };
  setInterval(refresh, 60_000);
  document.addEventListener('visibilitychange', refresh);
}

// Browsers do not scroll to a chip of which a part is visible.
document.addEventListener('focusin', ({ target }) => {
  target.closest('.row .chip')?.scrollIntoView({ block: 'nearest', inline: 'nearest' });
});

// Typing into a prefilled number replaces it, also after a click into the field.
const isNumber = (target) => target.matches('input[type=number], input[inputmode]');
let entered;
document.addEventListener('focusin', ({ target }) => {
  entered = isNumber(target) ? target : undefined;
  entered?.select();
});
document.addEventListener('click', ({ target }) => {
  if (target === entered) entered.select();
  entered = undefined;
});

// The button says how many vouchers it creates, and a hint how many mails are sent.
for (const said of document.querySelectorAll('[data-many]')) {
  const { count } = said.closest('form').elements;
  const one = said.textContent;
  const tell = () => {
    const number = Number(count.value);
    said.textContent = number > 1 ? said.dataset.many.replace('#', number) : one;
  };
  count.addEventListener('input', tell);
  addEventListener('pageshow', tell);
}

onContent((content) => {
  for (const all of content.querySelectorAll('[data-all]')) offerSelection(all);
});

function offerSelection(all) {
  const ticks = [...all.form.querySelectorAll(`[name=${all.dataset.all}]`)];
  const buttons = all.form.querySelectorAll('button[type=submit]');
  const selected = all.form.querySelector('.selected');
  const tell = () => {
    const ticked = ticks.filter((tick) => tick.checked).length;
    all.checked = ticked > 0 && ticked === ticks.length;
    all.indeterminate = ticked > 0 && ticked < ticks.length;
    for (const button of buttons) button.disabled = ticked === 0;
    selected.hidden = ticked === 0;
    selected.querySelector('strong').textContent = ticked;
  };
  all.closest('label').hidden = ticks.length === 0;
  all.addEventListener('change', () => {
    for (const tick of ticks) tick.checked = all.checked;
  });
  all.form.addEventListener('change', tell);
  tell();
  // Browsers restore the selected checkboxes when the user navigates back.
  if (document.readyState !== 'complete') addEventListener('pageshow', tell, { once: true });
}

// An open menu closes with Escape, with a click elsewhere and when the focus leaves it.
const openMenus = () => document.querySelectorAll('details.menu[open]');
document.addEventListener('keydown', ({ key }) => {
  if (key !== 'Escape') return;
  for (const menu of openMenus()) {
    menu.open = false;
    menu.querySelector('summary').focus();
  }
});
for (const event of ['pointerdown', 'focusin'])
  document.addEventListener(event, ({ target }) => {
    for (const menu of openMenus()) if (!menu.contains(target)) menu.open = false;
  });

// A page that shows a current state is fetched again while it is visible, and the parts that have changed are replaced.
// A part with the focus or a selection is left alone, so that nobody loses their place. After a form was sent, the page
// of a part has an address of its own.
for (const { dataset } of document.querySelectorAll('[data-refresh]')) {
  const isSelected = (part) => !getSelection().isCollapsed && getSelection().containsNode(part, true);
  const isInUse = (part) => part.contains(document.activeElement) || isSelected(part);
  const replace = (part, fresh) => {
    const opened = [...part.querySelectorAll('details')].map(({ open }) => open);
    for (const [index, details] of fresh.querySelectorAll('details').entries())
      details.open = opened[index] ?? details.open;
    if (part.innerHTML === fresh.innerHTML) return;
    part.replaceChildren(...fresh.childNodes);
    part.dispatchEvent(new Event('replaced', { bubbles: true }));
  };
  const refresh = async () => {
    if (document.hidden) return;
    const response = await fetch(dataset.source ?? location.href, { headers: { 'x-refresh': '1' } }).catch(
      () => undefined,
    );
    // The session has ended, or what the page shows is gone: the page must not look current any longer.
    if (response?.redirected || response?.status === 404) location.reload();
    if (!response?.ok || response.redirected) return;
    const page = new DOMParser().parseFromString(await response.text(), 'text/html');
    for (const part of document.querySelectorAll('[data-part]')) {
      const fresh = page.getElementById(part.id);
      if (fresh && !isInUse(part)) replace(part, fresh);
    }
    // Nothing changes by itself any longer.
    if (!page.querySelector('[data-refresh]')) clearInterval(timer);
  };
  const timer = setInterval(refresh, Number(dataset.refresh) * 1_000);
  document.addEventListener('visibilitychange', refresh);
}

// The number of requests that wait, in the menu of every page.
for (const badge of document.querySelectorAll('[data-count]')) {
  const refresh = async () => {
    if (document.hidden || document.querySelector('[data-refresh]')) return;
    const response = await fetch(badge.dataset.count, { headers: { 'x-refresh': '1' } }).catch(
      () => undefined,
    );
    if (!response?.ok || response.redirected) return;
    const count = await response.text();
    if (count === (badge.firstChild?.textContent ?? '0')) return;
    const said = document.createElement('span');
    said.className = 'hidden-text';
    said.textContent = ` ${badge.dataset.said}`;
    badge.replaceChildren(...(count === '0' ? [] : [count, said]));
  };
  setInterval(refresh, 15_000);
  document.addEventListener('visibilitychange', refresh);
}

// The preview follows the form while the user types. Controls outside the form may belong to it.
for (const form of document.querySelectorAll('form[data-preview]')) {
  const button = form.querySelector('[formaction]');
  button.hidden = true;
  let timer;
  let newest = 0;
  const refresh = async () => {
    newest += 1;
    const number = newest;
    const body = new FormData(form);
    // A file that is too large is sent only once, when the user saves.
    if (body.get('logo')?.size > 256 * 1024) body.delete('logo');
    // Without a connection, the preview stays as it is.
    const response = await fetch(button.formAction, { method: 'POST', body }).catch(() => undefined);
    const page = new DOMParser().parseFromString((await response?.text()) ?? '', 'text/html');
    const fresh = page.getElementById(form.dataset.preview);
    if (fresh && number === newest) document.getElementById(form.dataset.preview).replaceWith(fresh);
  };
  document.addEventListener('input', ({ target }) => {
    if (target.form !== form) return;
    clearTimeout(timer);
    timer = setTimeout(refresh, 250);
  });
}
