print("test-origin")
