// Shows the API with Swagger UI. It lives behind a shadow root: its styles stay inside and the page's stay out.

/** Its buttons are called what is written on them, and the one with a cross has a name at all. With a single
 * server there is none to choose. */
const adapt = ({ React }) => ({
  wrapComponents: {
    ServersContainer: () => () => null,
    Button:
      (Button) =>
      ({ 'aria-label': _, ...rest }) =>
        React.createElement(Button, rest),
    CloseIcon: (CloseIcon) => () =>
      React.createElement(
        React.Fragment,
        null,
        React.createElement(CloseIcon),
        React.createElement('span', { className: 'close-word' }, 'Close'),
      ),
  },
});

const host = document.querySelector('#explorer');
const root = host.attachShadow({ mode: 'open' });
const links = host.dataset.styles.split(' ').map((href) => {
  const link = document.createElement('link');
  link.rel = 'stylesheet';
  link.href = href;
  return link;
});
const node = document.createElement('div');
// Only once they are there: nothing is shown half dressed.
const dressed = links.map((link) => new Promise((resolve) => link.addEventListener('load', resolve)));
root.append(...links, node);
Promise.all(dressed).then(() =>
  globalThis.SwaggerUIBundle({
    domNode: node,
    url: host.dataset.document,
    plugins: [adapt],
    // Neither the document nor the key leaves this page, and no link can change that.
    validatorUrl: null,
    queryConfigEnabled: false,
    persistAuthorization: false,
    syntaxHighlight: { activated: false },
    defaultModelsExpandDepth: -1,
  }),
);
