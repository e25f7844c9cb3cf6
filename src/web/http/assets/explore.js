// Shows the API with Swagger UI. A shadow root isolates its styles from the styles of the page.

/** Accessible names: buttons are named by their visible text, and the close icon gets a name. The server selection is
 * removed, because there is only one server. */
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
// Render only after the stylesheets have loaded, to avoid a flash of unstyled content.
const dressed = links.map((link) => new Promise((resolve) => link.addEventListener('load', resolve)));
root.append(...links, node);
Promise.all(dressed).then(() =>
  globalThis.SwaggerUIBundle({
    domNode: node,
    url: host.dataset.document,
    plugins: [adapt],
    // Neither the document nor the API key leaves this page, and URL parameters cannot change the configuration.
    validatorUrl: null,
    queryConfigEnabled: false,
    persistAuthorization: false,
    syntaxHighlight: { activated: false },
    defaultModelsExpandDepth: -1,
  }),
);
