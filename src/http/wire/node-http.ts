/**
 * The HTTP server of Node, without the client for WebSockets. An ES import of `node:http` reads every export of it, and three of
 * them load that client: 28 ms of each start, for classes that nothing here uses.
 */
export const { createServer, ServerResponse, STATUS_CODES } = process.getBuiltinModule('node:http');
