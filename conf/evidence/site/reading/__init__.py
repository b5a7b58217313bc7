"""What happens while pages are read: claims, values, figures; and what is wrong with them."""
