import Confinement
import FaceDetection
import Glibc

/// The work of a process that decodes one picture.
enum DecoderProcess {
    /// Rows that are written at once.
    private static let atOnce = 64

    /// Sets up libvips in the process that decoders are forked from.
    static func prepare() throws(SandboxFailure) {
        if let failure = VipsLibrary.failure { throw SandboxFailure("libvips can't be used: \(failure)") }
    }

    /// Decodes `input`, writes the result to `output`, and returns the exit status.
    static let body: ForkServer.Body = {
        _,
        input,
        output,
        number in
        let order = DecoderOrder(number: number)
        var isTold: Bool
        do throws(UnreadablePicture) {
            if order.isInRows {
                let size = order.workingSize
                let picture = try PictureDecoder().rows(descriptor: input, workingSize: size)
                // Whoever wants no more rows closes the pipe.
                tellRows(picture, to: output)
                return 0
            }
            let (picture, shown) = try decode(input, order)
            isTold = tell(picture.header, picture.pixels, to: output)
            if isTold, let shown { isTold = tell(shown.header, shown.pixels, to: output) }
        } catch {
            let reason = Array(error.description.utf8.prefix(PictureHeader.longestReason))
            isTold = tell(.reason(length: reason.count), reason, to: output)
        }
        return isTold ? 0 : 1
    }

    private static func decode(
        _ input: Int32,
        _ order: DecoderOrder
    ) throws(UnreadablePicture) -> (Picture, shown: Picture?) {
        let (decoder, size) = (PictureDecoder(), order.workingSize)
        guard let side = order.shownSide else {
            let picture = try decoder.decode(
                descriptor: input,
                workingSize: size,
                isShown: order.isShown,
                isForCopy: order.isForCopy
            )
            return (picture, nil)
        }
        return try decoder.decode(descriptor: input, workingSize: size, shownSide: side)
    }

    /// Writes a picture as far as it can be decoded.
    private static func tellRows(_ picture: PictureRows, to output: Int32) {
        guard Streams.write(picture.frame.header.bytes, to: output) else { return }
        for first in stride(from: 0, to: picture.frame.height, by: atOnce) {
            guard let rows = picture.rows(min(atOnce, picture.frame.height - first)),
                Streams.write(rows, to: output)
            else { return }
        }
    }

    private static func tell(_ header: PictureHeader, _ body: [UInt8], to output: Int32) -> Bool {
        Streams.write(header.bytes, to: output) && Streams.write(body, to: output)
    }
}
