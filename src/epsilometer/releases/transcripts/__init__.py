"""A release run on neighbouring files with the same answers of chance, which must publish the same."""
