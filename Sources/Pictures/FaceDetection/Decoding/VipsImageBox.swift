import CPictures

/// An owned reference to a libvips image.
///
/// Operations of libvips are lazy: an image is a recipe until its pixels are asked for, so most errors
/// in a file come from ``pixels()``.
struct VipsImageBox: ~Copyable {
    let image: UnsafeMutablePointer<VipsImage>

    /// Takes ownership of the image that an operation returns, or throws libvips' error.
    init(
        _ operation: (UnsafeMutablePointer<UnsafeMutablePointer<VipsImage>?>) -> Int32
    ) throws(UnreadablePicture) {
        var out: UnsafeMutablePointer<VipsImage>?
        guard operation(&out) == 0, let out else { throw VipsLibrary.takeError() }
        image = out
    }

    /// Takes ownership of an image, or throws libvips' error if there is none.
    init(taking image: UnsafeMutablePointer<VipsImage>?) throws(UnreadablePicture) {
        guard let image else { throw VipsLibrary.takeError() }
        self.image = image
    }

    /// Copies a picture's pixels, and nothing else of it.
    static func holding(_ picture: Picture) throws(UnreadablePicture) -> VipsImageBox {
        let copy = picture.pixels.withUnsafeBytes { bytes in
            vips_image_new_from_memory_copy(
                bytes.baseAddress,
                bytes.count,
                Int32(picture.width),
                Int32(picture.height),
                3,
                VIPS_FORMAT_UCHAR
            )
        }
        let plain = try VipsImageBox(taking: copy)
        return try plain.applying { CVips_reinterpret($0, $1, VIPS_INTERPRETATION_sRGB) }
    }

    deinit { g_object_unref(image) }

    var width: Int { Int(vips_image_get_width(image)) }
    var height: Int { Int(vips_image_get_height(image)) }
    var bands: Int { Int(vips_image_get_bands(image)) }

    /// Applies an operation to this image.
    func applying(
        _ operation: (
            UnsafeMutablePointer<VipsImage>, UnsafeMutablePointer<UnsafeMutablePointer<VipsImage>?>
        ) -> Int32
    ) throws(UnreadablePicture) -> VipsImageBox {
        let image = image
        return try VipsImageBox { out in operation(image, out) }
    }

    /// Returns an integer from the picture's metadata.
    func integer(_ name: String) -> Int? {
        guard vips_image_get_typeof(image, name) != 0 else { return nil }
        var value: Int32 = 0
        return vips_image_get_int(image, name, &value) == 0 ? Int(value) : nil
    }

    /// Returns a text from the picture's metadata.
    func string(_ name: String) -> String? {
        guard vips_image_get_typeof(image, name) != 0 else { return nil }
        var value: UnsafePointer<CChar>?
        return vips_image_get_string(image, name, &value) == 0 ? value.map { String(cString: $0) } : nil
    }

    /// Decodes the pixels of an 8-bit image.
    func pixels() throws(UnreadablePicture) -> [UInt8] {
        var size = 0
        guard let memory = vips_image_write_to_memory(image, &size) else { throw VipsLibrary.takeError() }
        defer { g_free(memory) }
        return Array(UnsafeRawBufferPointer(start: memory, count: size))
    }
}
