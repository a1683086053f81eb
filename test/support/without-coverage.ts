/**
 * Starts the processes of the test file that imports this without coverage. Counting takes memory and time, which some files measure; and
 * a process writes what it has counted when it ends, which fails under a limit of the size of files, or as a user who may not.
 */
delete process.env['NODE_V8_COVERAGE'];
