import { type Route, route } from "../../kernel/route.ts";
import { searchAsOperator } from "./operations.ts";
import { viewSearch } from "./view.ts";

export const searchRoutes: readonly Route[] = [route("search", { operation: searchAsOperator, present: viewSearch })];
