// What a brief's pages add for hands: to print, and to copy a link.

import { offerCopies } from "../static/copy.js";

const print = document.querySelector("[data-print]");
if (print) {
  print.hidden = false;
  print.addEventListener("click", () => window.print());
}

offerCopies("The link is copied.", "The link is selected; copy it with your keyboard.");
