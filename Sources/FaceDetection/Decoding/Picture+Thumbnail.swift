import CVips

extension Picture {
    /// The picture with its longer side at most `side` pixels, as libvips makes it: the process that decodes
    /// runs nothing else.
    func thumbnail(_ side: Int) throws(UnreadablePicture) -> Picture {
        guard max(width, height) > side else { return self }
        let whole = try VipsImageBox.holding(self)
        let small = try whole.applying { CVips_shrink($0, $1, Int32(clamping: side)) }
        return Picture(
            pixels: try small.pixels(),
            width: small.width,
            height: small.height,
            fullWidth: fullWidth,
            fullHeight: fullHeight,
            orientation: orientation,
            format: format
        )
    }
}
