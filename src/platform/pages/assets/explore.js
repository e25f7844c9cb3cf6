// Shows the API with Swagger UI. A shadow root isolates its styles from the styles of the page.

/** Accessible names: buttons are named by their visible text, and the close icon gets a name. The server selection is
 * removed, because there is only one server. Its `main` becomes a `div`, because the page has a `main` already. */
const adapt = ({ React }) => ({
  wrapComponents: {
    ServersContainer: () => () => null,
    VersionPragmaFilter:
      (Filter) =>
      ({ children, ...rest }) =>
        React.createElement(
          Filter,
          rest,
          React.Children.map(children, (child) =>
            child?.type === 'main' ? React.createElement('div', child.props) : child,
          ),
        ),
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
// The dark theme of Swagger UI applies below an element `html.dark-mode`; the shadow root has its own.
const page = document.createElement('html');
page.lang = 'en';
page.append(node);
const systemTheme = matchMedia('(prefers-color-scheme: dark)');
function followTheme() {
  const { theme } = document.documentElement.dataset;
  page.classList.toggle('dark-mode', theme ? theme === 'dark' : systemTheme.matches);
}
systemTheme.addEventListener('change', followTheme);
followTheme();
// Menus of values and of examples get a name, and examples that scroll can be focused.
new MutationObserver(() => {
  for (const menu of node.querySelectorAll('select:not([aria-label])'))
    menu.setAttribute('aria-label', menu.className === 'examples-select-element' ? 'Example' : 'Value');
  for (const example of node.querySelectorAll('pre:not([tabindex])')) example.tabIndex = 0;
}).observe(node, { childList: true, subtree: true });
// Render only after the stylesheets have loaded, to avoid a flash of unstyled content.
const dressed = links.map((link) => new Promise((resolve) => link.addEventListener('load', resolve)));
root.append(...links, page);
async function readDocument() {
  return (await fetch(host.dataset.document)).json();
}
Promise.all([readDocument(), ...dressed]).then(([spec]) =>
  globalThis.SwaggerUIBundle({
    domNode: node,
    spec,
    plugins: [adapt],
    // Neither the document nor the API key leaves this page, and URL parameters cannot change the configuration.
    validatorUrl: null,
    queryConfigEnabled: false,
    persistAuthorization: false,
    syntaxHighlight: { activated: false },
    defaultModelsExpandDepth: -1,
  }),
);
