"""What is written beside the text of a page: its frame, its Markdown, the data, the search."""
