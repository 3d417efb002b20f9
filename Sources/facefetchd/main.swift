print("facefetchd")
