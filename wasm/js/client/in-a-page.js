// Why a client does not start in a page.

export const IN_A_PAGE =
  'cpaas/client needs the keys of the provider, which must not be in a page: call it on your server, and validate in the page with `import { validate } from "cpaas"`';
