// Runs before the first paint of a public page, so that a chosen theme never flashes. The choice is the app's own.
import { isDarkChosen } from "./theme.ts";

document.documentElement.dataset["theme"] = isDarkChosen() ? "dark" : "light";
