import CPictures
import FaceDetection

/// Owns one reference to a libvips image, while it is prepared for an encoder.
final class VipsPicture {
    private(set) var image: UnsafeMutablePointer<VipsImage>

    /// Copies 8-bit pixels in.
    init(pixels: [UInt8], width: Int, height: Int, bands: Int, as space: VipsInterpretation) throws {
        // It can only be set up by one thread, and tests decode in this process, too.
        guard VipsLibrary.failure == nil else { throw PaintingFailure() }
        let plain = pixels.withUnsafeBytes { bytes in
            vips_image_new_from_memory_copy(
                bytes.baseAddress,
                bytes.count,
                Int32(width),
                Int32(height),
                Int32(bands),
                VIPS_FORMAT_UCHAR
            )
        }
        guard let plain else { throw PaintingFailure() }
        image = plain
        try apply { CVips_reinterpret($0, $1, space) }
    }

    deinit { g_object_unref(image) }

    /// Replaces the image by what an operation makes of it.
    func apply(
        _ operation: (
            UnsafeMutablePointer<VipsImage>, UnsafeMutablePointer<UnsafeMutablePointer<VipsImage>?>
        ) -> Int32
    ) throws {
        var out: UnsafeMutablePointer<VipsImage>?
        guard operation(image, &out) == 0, let out else { throw PaintingFailure() }
        g_object_unref(image)
        image = out
    }

    /// Sets an integer of the picture's metadata.
    func set(_ name: String, _ value: Int) { vips_image_set_int(image, name, Int32(value)) }

    /// Encodes the picture.
    func encoded(
        _ encoder: (
            UnsafeMutablePointer<VipsImage>, UnsafeMutablePointer<UnsafeMutableRawPointer?>,
            UnsafeMutablePointer<Int>
        ) -> Int32
    ) throws -> [UInt8] {
        var bytes: UnsafeMutableRawPointer?
        var size = 0
        guard encoder(image, &bytes, &size) == 0, let bytes else { throw PaintingFailure() }
        defer { g_free(bytes) }
        return Array(UnsafeRawBufferPointer(start: bytes, count: size))
    }
}
