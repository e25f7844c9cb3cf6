// The OpenAPI 3.0.3 description of what Gastpass adds to the API contract. It is a separate document, so that
// openapi.php describes only the contract.

import { errorSchema, exactly, jsonOf, siteIdSchema, toDocument } from './openapi-document.ts';
import { type HttpProblem, refusalOf } from './problem-response.ts';

const schemas = {
  Revocation: {
    type: 'object',
    required: ['site_id', 'code'],
    properties: {
      site_id: siteIdSchema,
      code: {
        type: 'string',
        minLength: 1,
        description: 'Code des Vouchers als Text, mit oder ohne Bindestrich',
        example: '0482715936',
      },
    },
  },
  Revoked: exactly({ success: { type: 'boolean', enum: [true], example: true } }),
  Error: errorSchema,
};

/** The examples are made from the real responses, so that they cannot differ from them. */
function refusal(description: string, ...problems: [HttpProblem, ...HttpProblem[]]) {
  const examples = Object.fromEntries(
    problems.map((problem) => {
      const { error, message } = refusalOf(problem);
      return [problem.kind, { value: { error, message } }];
    }),
  );
  return {
    description,
    content: { 'application/json': { schema: { $ref: '#/components/schemas/Error' }, examples } },
  };
}

const paths = {
  '/revoke.php': {
    post: {
      operationId: 'revokeVoucher',
      summary: 'Voucher widerrufen (Vorschau, wird ersetzt)',
      description:
        'Löscht den Voucher auf dem Controller; danach gilt er als `expired`. Darf beliebig oft wiederholt werden. Benötigt Scope `write`.',
      requestBody: { required: true, content: jsonOf('Revocation') },
      responses: {
        '200': {
          description: 'Voucher ist widerrufen, jetzt oder schon früher',
          content: jsonOf('Revoked'),
        },
        '400': refusal(
          'Eine Angabe fehlt oder ist ungültig',
          { kind: 'site-id-missing' },
          { kind: 'code-missing' },
        ),
        '401': refusal('Kein gültiger API-Schlüssel', { kind: 'unauthorized', keyWasSent: false }),
        '403': refusal('Dem Schlüssel fehlt der nötige Scope', { kind: 'scope-missing', scope: 'write' }),
        '404': refusal(
          'Site oder Voucher nicht gefunden',
          { kind: 'site-not-found' },
          { kind: 'voucher-not-found' },
        ),
        '408': refusal('Anfrage kam zu langsam an', { kind: 'body-too-slow' }),
        '413': refusal('Anfrage zu groß', { kind: 'body-too-large' }),
        '429': refusal('Rate-Limit des Schlüssels überschritten', { kind: 'rate-limited', secondsLeft: 1 }),
        '500': refusal('Der Controller hat abgelehnt oder ist nicht erreichbar', {
          kind: 'revocation-failed',
          failure: 'unreachable',
          text: 'the controller cannot be reached',
        }),
        '503': refusal(
          'Controller, Dienst oder Datenbank gerade nicht verfügbar',
          { kind: 'revocation-busy', retryAfterS: 1 },
          { kind: 'unavailable' },
          { kind: 'database-unavailable' },
        ),
      },
    },
  },
};

export function openapiExtraDocument(serverUrl: string): string {
  return toDocument(serverUrl, {
    title: 'Gastpass API: Ergänzungen',
    description:
      'Was Gastpass über den Vertrag der API hinaus anbietet: Voucher widerrufen. Vorschau, wird ersetzt.',
    paths,
    schemas,
  });
}
