"""The local page: a server for one person on this computer, which shows what moving epsilon changes."""
