// The OpenAPI 3.0.3 description of the API. Only the URL of the server varies.

export const siteIdSchema = {
  type: 'integer',
  description: 'Nummer des Standorts: `id` in sites.php, nicht dessen `site_id`',
  minimum: 1,
  maximum: 2147483647,
  example: 1,
};

export const errorSchema = {
  type: 'object',
  required: ['error'],
  properties: {
    error: { type: 'string', example: 'unauthorized' },
    message: { type: 'string' },
  },
  additionalProperties: false,
};

/** An object that always has these properties, and no others. */
export function exactly(properties: object) {
  return { type: 'object', required: Object.keys(properties), properties, additionalProperties: false };
}

export function jsonOf(schema: string) {
  return { 'application/json': { schema: { $ref: `#/components/schemas/${schema}` } } };
}

const schemas = {
  Voucher: exactly({
    voucher_code: { type: 'string', description: 'Code des Vouchers, nur Ziffern', example: '0482715936' },
    voucher_name: { type: 'string', description: '`<JJJJ-MM-TT>_<name>`', example: '2026-01-15_Zimmer 12' },
    max_uses: { type: 'integer', minimum: 0, description: '0: unbegrenzt', example: 1 },
    expire_minutes: { type: 'integer', minimum: 0, example: 480 },
    status: { type: 'string', enum: ['valid', 'used', 'expired'], example: 'valid' },
    used_count: { type: 'integer', minimum: 0, example: 0 },
    created_at: { type: 'string', format: 'date-time', example: '2026-01-15T11:28:51Z' },
    expires_at: {
      type: 'string',
      format: 'date-time',
      nullable: true,
      description: 'null bis zur ersten Nutzung; die Zeit läuft ab der ersten Nutzung',
      example: null,
    },
  }),
  VoucherList: exactly({
    vouchers: { type: 'array', maxItems: 200, items: { $ref: '#/components/schemas/Voucher' } },
  }),
  SiteList: exactly({
    sites: {
      type: 'array',
      items: exactly({
        id: { type: 'integer', description: 'Nummer, in Anfragen als `site_id` verwendet', example: 1 },
        name: { type: 'string', example: 'Haus A' },
        site_id: { type: 'string', description: 'Name auf dem Controller', example: 'default' },
      }),
    },
  }),
  VoucherOrder: {
    type: 'object',
    required: ['site_id', 'name'],
    properties: {
      site_id: siteIdSchema,
      name: { type: 'string', minLength: 1, maxLength: 244, example: 'Zimmer 12' },
      max_uses: { type: 'integer', default: 1, description: 'Werte unter 1 werden zu 1', example: 1 },
      expire_minutes: {
        type: 'integer',
        default: 480,
        description: 'Gültigkeit ab der ersten Nutzung; Werte unter 1 werden zu 480',
        example: 480,
      },
      qos: {
        type: 'object',
        description: 'Grenzen; 0 oder fehlend bedeutet unbegrenzt',
        properties: {
          down: { type: 'integer', description: 'Download in kbit/s', example: 10000 },
          up: { type: 'integer', description: 'Upload in kbit/s', example: 2000 },
          quota_mb: { type: 'integer', description: 'Datenvolumen in MB', example: 2048 },
        },
      },
    },
  },
  CreatedVoucher: exactly({
    success: { type: 'boolean', enum: [true], example: true },
    code: { type: 'string', example: '0482715936' },
    formatted_code: { type: 'string', example: '04827-15936' },
    site: { type: 'string', example: 'Haus A' },
    max_uses: { type: 'integer', minimum: 1, example: 1 },
    expire_minutes: { type: 'integer', minimum: 1, example: 480 },
  }),
  Error: errorSchema,
};

function responseOf(description: string, schema: keyof typeof schemas) {
  return { description, content: jsonOf(schema) };
}

const refusals = {
  '401': responseOf('Kein gültiger API-Schlüssel', 'Error'),
  '403': responseOf('Dem Schlüssel fehlt der nötige Scope', 'Error'),
  '429': responseOf('Rate-Limit des Schlüssels überschritten', 'Error'),
};

const paths = {
  '/sites.php': {
    get: {
      operationId: 'listSites',
      summary: 'Aktive Sites auflisten',
      description: 'Benötigt Scope `read`.',
      responses: { '200': responseOf('Liste der aktiven Sites', 'SiteList'), ...refusals },
    },
  },
  '/vouchers.php': {
    get: {
      operationId: 'listVouchers',
      summary: 'Voucher einer Site auflisten',
      description: 'Die neuesten zuerst, höchstens 200. Benötigt Scope `read`.',
      parameters: [{ name: 'site_id', in: 'query', required: true, schema: siteIdSchema }],
      responses: {
        '200': responseOf('Liste der Voucher', 'VoucherList'),
        '400': responseOf('site_id fehlt oder ist nicht positiv', 'Error'),
        ...refusals,
      },
    },
    post: {
      operationId: 'createVoucher',
      summary: 'Voucher erstellen',
      description: 'Benötigt Scope `write`.',
      requestBody: { required: true, content: jsonOf('VoucherOrder') },
      responses: { '201': responseOf('Voucher erstellt', 'CreatedVoucher'), ...refusals },
    },
  },
};

export function openapiDocument(serverUrl: string): string {
  return toDocument(serverUrl, {
    title: 'Gastpass API',
    description: 'Erstellt und listet Zugangs-Voucher für Gäste-WLAN, gruppiert nach Sites.',
    paths,
    schemas,
  });
}

interface Described {
  title: string;
  description: string;
  paths: object;
  schemas: object;
}

/** Returns indented JSON in which Unicode characters and slashes are not escaped. */
export function toDocument(serverUrl: string, { title, description, paths, schemas }: Described): string {
  const document = {
    openapi: '3.0.3',
    info: { title, version: '1.0.0', description, license: { name: 'MIT' } },
    servers: [{ url: serverUrl }],
    security: [{ bearerAuth: [] }, { apiKeyAuth: [] }],
    paths,
    components: {
      securitySchemes: {
        bearerAuth: { type: 'http', scheme: 'bearer' },
        apiKeyAuth: { type: 'apiKey', in: 'header', name: 'X-API-Key' },
      },
      schemas,
    },
  };
  return JSON.stringify(document, null, 4);
}
