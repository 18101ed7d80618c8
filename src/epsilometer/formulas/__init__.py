"""Theory: closed forms, one function per question. Arrays in, numbers out; nothing here sees a row."""
