/** What the formats of Python's tools share. */

/** One frame of a Python traceback. */
export const PYTHON_FRAME = /^\s*File "([^"]+)", line (\d{1,7})/;
