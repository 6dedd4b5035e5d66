"""Lines between the processes of a host, be they on one machine or on many: they carry what guests say, and more."""
