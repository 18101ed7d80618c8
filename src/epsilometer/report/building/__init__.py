"""Reports of each kind of result, as blocks: what is said, before it becomes a page."""
