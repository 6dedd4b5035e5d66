"""Failures that the product has logged: in a test, an unexpected one is a failure of the test."""

import logging


class FailureLog(logging.Handler):
    """Collects the failures that `net.loop` logs, as (event, type of the error)."""

    def __init__(self):
        super().__init__(logging.ERROR)
        self._logger = logging.getLogger("net.contained")
        self.seen = []
        self.expected = False
        self._traces = []

    def emit(self, record):
        error = record.exc_info[1]
        self.seen.append((record.getMessage(), type(error)))
        self._traces.append(logging.Formatter().formatException(record.exc_info))

    def __enter__(self):
        self._level_before = self._logger.level
        self._logger.setLevel(logging.ERROR)  # also while other messages of `net` are suppressed
        self._logger.addHandler(self)
        return self

    def __exit__(self, *_):
        self._logger.removeHandler(self)
        self._logger.setLevel(self._level_before)

    def check(self):
        """Raise AssertionError if anything failed that was not expected."""
        assert self.expected or not self.seen, "\n".join(map(str, (*self.seen, *self._traces)))
