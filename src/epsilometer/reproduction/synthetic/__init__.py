"""Paper 004, worked through again; its curves are measured anew on a health table like its own, and on Adult."""
