print("facefetch")
