"""What is filled in when a page is written, because it depends on all others."""
