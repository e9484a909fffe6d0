// Shows the React form of docs/browser.md, which doc_blocks.mjs writes to the folder block.
import { createRoot } from "react-dom/client";
import { Carousel } from "./block/form-0.js";

const root = document.querySelector("#root");
if (root) createRoot(root).render(<Carousel onSend={(message) => (document.title = `sent ${message.business_chat?.carouselCard?.cardContents.length}`)} />);
