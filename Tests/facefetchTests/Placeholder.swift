// facefetchTests
