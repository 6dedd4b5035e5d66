"""What is on a host's disk: the database, the files of records, their permissions, and a check of it all."""
