@testable import FaceDetection

/// A trial of what a process says that has read a stranger's picture: a header, then pixels, or the reason
/// why there are none.
///
/// The first two bytes say what size the picture was asked for in.
enum PictureTrial {
    static func read(_ bytes: [UInt8]) throws(BrokenPromise) -> String? {
        guard bytes.count >= 2 else { return nil }
        let workingSize = 1 + (Int(bytes[0]) << 8 | Int(bytes[1])) % 4096
        let answer = bytes.dropFirst(2)
        let start = Array(answer.prefix(PictureHeader.length))
        guard let header = PictureHeader(bytes: start, workingSize: workingSize) else { return nil }
        try promise(header.bytes == start, "the header isn't the same after it was written again")
        try check(header, workingSize)
        let body = Array(answer.dropFirst(PictureHeader.length))
        let picture: Picture?
        do throws(UnreadablePicture) {
            picture = try Picture(header: header, body: body)
        } catch {
            try check(error, of: header)
            return error.description
        }
        let fits = body.count == header.bodyLength
        try promise((picture != nil) == fits, "a body of \(body.count) bytes for \(header.bodyLength)")
        guard let picture else { return nil }
        try promise(picture.header == header && picture.pixels == body, "the picture is another")
        return String(decoding: body, as: UTF8.self)
    }

    private static func check(_ header: PictureHeader, _ workingSize: Int) throws(BrokenPromise) {
        switch header {
        case .pixels(let width, let height, let fullWidth, let fullHeight, let orientation, _, _, _, _):
            try promise(
                (1...workingSize).contains(width) && (1...workingSize).contains(height),
                "it has \(width) x \(height) pixels, where \(workingSize) were asked for"
            )
            try promise((1...8).contains(orientation), "no picture lies so")
            try promise(fullWidth >= width && fullHeight >= height, "the picture has grown")
            let (pixels, isTooLarge) = fullWidth.multipliedReportingOverflow(by: fullHeight)
            try promise(!isTooLarge && pixels <= PictureLimits().pixels, "such a picture isn't decoded")
            try promise(header.bodyLength == 3 * width * height, "the pixels don't fill the picture")
        case .reason(let length):
            try promise((1...PictureHeader.longestReason).contains(length), "a reason has \(length) bytes")
            try promise(header.bodyLength == length, "a reason has another length than it says")
        }
    }

    private static func check(
        _ unreadable: UnreadablePicture,
        of header: PictureHeader
    ) throws(BrokenPromise) {
        guard case .reason = header else { throw BrokenPromise(description: "pixels became a reason") }
        let reason = unreadable.description
        try promise(!reason.isEmpty, "there is no reason")
        try promise(reason.unicodeScalars.count <= 500, "a reason has \(reason.utf8.count) bytes")
        try promise(
            reason.unicodeScalars.allSatisfy { !$0.properties.changesLines },
            "a reason breaks its line, or turns it round: \(reason.debugDescription)"
        )
        try promise(
            UnreadablePicture(foreign: Array(reason.utf8)).description == reason,
            "a reason isn't the same after it was read again"
        )
        try promise(unreadable.openingError == 0, "it was opened, or nobody could have read it")
    }
}

extension Unicode.Scalar.Properties {
    fileprivate var changesLines: Bool {
        switch generalCategory {
        case .control, .format, .lineSeparator, .paragraphSeparator, .surrogate: true
        default: false
        }
    }
}
