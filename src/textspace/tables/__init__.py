"""Files of rows and columns."""
