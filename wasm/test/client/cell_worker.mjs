// A Worker that makes the call of the cell in the body.
import { callCell } from "./cell_call.mjs";

export default {
  async fetch(request) {
    return Response.json(await callCell(await request.json()));
  },
};
