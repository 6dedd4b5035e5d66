"""A host's data on disk: the database, the record files, their permissions, and a check of them."""
