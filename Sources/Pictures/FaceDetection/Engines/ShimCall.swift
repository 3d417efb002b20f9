import CPictures

/// Calls into the C++ shim, which reports errors as messages.
enum ShimCall {
    /// The most faces reported in one picture.
    static let mostFaces = 4096
    private static let messageSize = 512

    /// Opens something; throws the shim's message on failure.
    static func open<Handle>(
        _ body: (UnsafeMutablePointer<CChar>, Int) -> Handle?
    ) throws(EngineFailure) -> Handle {
        var handle: Handle?
        let message = withMessage { text, size in handle = body(text, size) }
        guard let handle else { throw EngineFailure(message) }
        return handle
    }

    /// Finds faces in a picture; throws the shim's message on failure.
    static func find(
        in picture: Picture,
        _ body: (
            UnsafePointer<CFaceDetectPicture>, UnsafeMutablePointer<CFaceDetectBox>, Int,
            UnsafeMutablePointer<CChar>, Int
        ) -> Int
    ) throws(UnreadablePicture) -> [EngineBox] {
        var failure = ""
        let boxes = [CFaceDetectBox](unsafeUninitializedCapacity: mostFaces) { buffer, count in
            picture.pixels.withUnsafeBufferPointer { pixels in
                guard let base = pixels.baseAddress, let room = buffer.baseAddress else { return }
                var given = CFaceDetectPicture(
                    pixels: base,
                    width: Int32(picture.width),
                    height: Int32(picture.height),
                    bands: 3
                )
                var found = 0
                failure = withMessage { text, size in
                    found = body(&given, room, mostFaces, text, size)
                }
                count = max(0, found)
                if found >= 0 { failure = "" }
            }
        }
        guard failure.isEmpty else { throw UnreadablePicture(failure) }
        return boxes.map(EngineBox.init)
    }

    /// The way pixels are made fewer.
    enum Shrinking {
        /// Fast, for engines.
        case looks
        /// By exact means, for people; also in a process that may open no file, as OpenCV does when it starts.
        case means
    }

    /// Makes a picture's pixels fewer; throws the shim's message on failure.
    static func shrink(
        _ picture: Picture,
        width: Int,
        height: Int,
        by shrinking: Shrinking
    ) throws(UnreadablePicture) -> [UInt8] {
        let shrink = shrinking == .looks ? CFaceDetect_shrink : CFaceDetect_average
        var failure = ""
        let small = [UInt8](unsafeUninitializedCapacity: width * height * 3) { buffer, count in
            picture.pixels.withUnsafeBufferPointer { pixels in
                guard let base = pixels.baseAddress, let room = buffer.baseAddress else { return }
                var given = CFaceDetectPicture(
                    pixels: base,
                    width: Int32(clamping: picture.width),
                    height: Int32(clamping: picture.height),
                    bands: 3
                )
                var status: Int32 = -1
                failure = withMessage { text, size in
                    status = shrink(
                        &given,
                        room,
                        Int32(clamping: width),
                        Int32(clamping: height),
                        text,
                        size
                    )
                }
                if status == 0 { (count, failure) = (width * height * 3, "") }
            }
        }
        guard failure.isEmpty, small.count == width * height * 3 else { throw UnreadablePicture(failure) }
        return small
    }

    private static func withMessage(_ body: (UnsafeMutablePointer<CChar>, Int) -> Void) -> String {
        withUnsafeTemporaryAllocation(of: CChar.self, capacity: messageSize) { buffer in
            buffer.initialize(repeating: 0)
            guard let text = buffer.baseAddress else { return "" }
            body(text, messageSize)
            return String(cString: text)
        }
    }
}
