"""The pages, one file each: read what was asked, let an assessment answer, show it."""
