print("facefetch-detector")
