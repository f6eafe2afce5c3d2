"""Messages: what a person or a program can say, each as one frozen value with its fields, limits and meanings."""
