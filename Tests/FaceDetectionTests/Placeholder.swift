// FaceDetectionTests
