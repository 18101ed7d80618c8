"""Paper 003, worked through again; its case study is done with the ages of the Adult table."""
