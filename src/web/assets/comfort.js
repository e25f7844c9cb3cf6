// Comfort on top of pages that work without it: copying a code, telling that a form is on its way, and
// showing a batch as it grows.

for (const button of document.querySelectorAll('[data-copy]')) {
  // Browsers lend their clipboard to encrypted pages only.
  button.hidden = !navigator.clipboard;
  button.addEventListener('click', async () => {
    await navigator.clipboard.writeText(button.dataset.copy);
    const label = button.querySelector('span');
    const before = label.textContent;
    label.textContent = button.dataset.copied;
    setTimeout(() => {
      label.textContent = before;
    }, 2_000);
  });
}

for (const form of document.querySelectorAll('form[data-working]'))
  form.addEventListener('submit', () => {
    const button = form.querySelector('button[type=submit]');
    // After the browser has taken the form's values.
    setTimeout(() => {
      button.disabled = true;
      button.textContent = form.dataset.working;
    });
  });

for (const button of document.querySelectorAll('[data-print]')) {
  button.hidden = false;
  button.addEventListener('click', () => print());
}
