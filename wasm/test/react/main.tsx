import { createRoot } from "react-dom/client";
// The block of docs/browser.md, written beside this file by doc_blocks.mjs.
import { Carousel } from "./block/form-0.js";

const root = document.querySelector("#root");
if (root) createRoot(root).render(<Carousel onSend={(message) => (document.title = `sent ${message.business_chat?.carouselCard?.cardContents.length}`)} />);
