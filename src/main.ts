// The program: hands argv to the command line and ends with its exit code.
import { main } from "./cli/main.ts";
import { processIo } from "./cli/process-io.ts";

const { io, flush } = processIo();
const code = await main(process.argv.slice(2), io);
await flush();
process.exit(code);
