"""Kinds of release in one currency: how often an attacker is right about a person, and how wrong an analyst is."""
