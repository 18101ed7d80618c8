"""Descriptions of tables that other tools keep, as beginnings of a plan."""
