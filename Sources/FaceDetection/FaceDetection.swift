// FaceDetection
