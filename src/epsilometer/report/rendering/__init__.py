"""Reports as web pages, Markdown and JSON: the same content in each form."""
