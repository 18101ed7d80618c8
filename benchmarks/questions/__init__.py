"""One module for each question; each says what is compared, given a folder for files and a scale of sizes."""
