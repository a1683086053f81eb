/**
 * Disables coverage for the processes that a test file starts, if it imports this file. Counting takes memory
 * and time, which some files measure. A process also writes its counts when it ends, which fails under a
 * limit on file sizes, or as a user without the right to write.
 */
delete process.env['NODE_V8_COVERAGE'];
