"""Theory: inverse problems. Which parameters meet a target?"""
