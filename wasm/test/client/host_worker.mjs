// A Worker that returns the outcomes of `run` for the addresses in the body.
import { run } from "./host.mjs";

export default {
  async fetch(request) {
    return Response.json(await run(await request.json()));
  },
};
