"""What a character or monster is: its sheet, equipment and pieces, and how it is shown."""
