"""What commands print, on a terminal and as JSON."""
