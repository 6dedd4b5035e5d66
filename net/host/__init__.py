"""The host: its lobby and its tables at run time, access, and the operator's commands and metrics."""
