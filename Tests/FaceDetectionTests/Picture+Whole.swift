@testable import FaceDetection

extension Picture {
    /// Creates a picture that was decoded at its full size.
    init(pixels: [UInt8], width: Int, height: Int) {
        self.init(
            pixels: pixels,
            width: width,
            height: height,
            fullWidth: width,
            fullHeight: height,
            orientation: 1,
            format: .png
        )
    }
}
