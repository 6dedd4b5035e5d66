"""Trunks between the processes of a host, on one machine or several; they carry the links of guests, and more."""
