// Puts the pairing code from the address into the field. The address is then shown without it.

const field = document.getElementById('code');
const code = decodeURIComponent(location.hash.slice(1));
if (code && field) {
  field.value = code.slice(0, field.maxLength);
  history.replaceState(null, '', location.pathname);
}
