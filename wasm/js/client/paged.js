// The result of a list operation: a promise of the first page, and an asynchronous iterator of all records.
import { instance, withModule, withObject } from "../server/module.js";
import { errorOf } from "./errors.js";

/** The records of a page. */
const records = (page, items) => items.reduce((value, name) => value?.[name], page) ?? [];

/**
 * The pages of a list. `call(request)` makes one call. The first call starts at once; each further page is requested when it is needed. The
 * last page has a warning if the list contains more or fewer records than its total.
 */
export class Paged {
  #operation;
  #call;
  #request;
  #first;

  constructor(operation, request, call) {
    this.#operation = operation;
    this.#request = request ?? {};
    this.#call = call;
    this.#first = call(this.#request);
  }

  then(...handlers) {
    return this.#first.then(...handlers);
  }

  catch(handler) {
    return this.#first.catch(handler);
  }

  finally(handler) {
    return this.#first.finally(handler);
  }

  get [Symbol.toStringTag]() {
    return "Paged";
  }

  /** The pages, one call for each. */
  async *pages() {
    const cursor = withModule((glue) => new glue.PageCursor(this.#operation.id));
    const made = instance();
    let request = this.#request;
    let page = await this.#first;
    for (;;) {
      const text = JSON.stringify(request);
      const { response } = page;
      const [next, error, warning] = withObject(made, () => [cursor.next(text, response.body), cursor.error(), cursor.warning()]);
      if (warning) page.warnings.push(JSON.parse(warning));
      yield page;
      if (error !== undefined) throw errorOf(JSON.parse(error));
      if (next === undefined) return;
      request = JSON.parse(next);
      page = await this.#call(request);
    }
  }

  /** The records of all pages. */
  async *[Symbol.asyncIterator]() {
    for await (const page of this.pages()) yield* records(page, this.#operation.items);
  }
}
