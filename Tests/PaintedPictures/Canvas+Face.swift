extension Canvas {
    /// Paints a face: a shaded oval with hair, eyes, brows, nose and mouth.
    ///
    /// What counts for a cascade is the pattern of light and dark: eyes darker
    /// than cheeks and the bridge of the nose, a mouth darker than the chin.
    mutating func paint(_ face: PaintedFace) {
        let side = Double(face.side)
        func blob(
            _ x: Double,
            _ y: Double,
            _ radiusX: Double,
            _ radiusY: Double,
            _ colour: Colour,
            _ strength: Double = 1,
            softness: Double = 0.3
        ) {
            ellipse(
                x: Double(face.x) + x * side,
                y: Double(face.y) + y * side,
                radiusX: radiusX * side,
                radiusY: radiusY * side,
                colour: colour,
                strength: strength,
                softness: softness
            )
        }
        let hair = Colour(red: 50, green: 38, blue: 30)
        let skin = Colour(red: 226, green: 180, blue: 154)
        let shade = Colour(red: 150, green: 105, blue: 85)
        let light = Colour(red: 250, green: 218, blue: 196)
        let dark = Colour(red: 38, green: 26, blue: 24)
        let lips = Colour(red: 150, green: 62, blue: 60)

        blob(0.5, 0.40, 0.56, 0.68, hair, softness: 0.1)
        blob(0.5, 0.52, 0.46, 0.64, skin, softness: 0.15)
        blob(0.5, 0.05, 0.36, 0.14, light, 0.5, softness: 1)
        for (x, outward) in [(0.30, -1.0), (0.70, 1.0)] {
            blob(x, 0.36, 0.17, 0.13, shade, 0.8, softness: 0.8)
            blob(x + outward * 0.01, 0.25, 0.14, 0.035, dark, 0.9, softness: 0.5)
            blob(x, 0.37, 0.10, 0.05, Colour(red: 235, green: 230, blue: 225), 0.9)
            blob(x, 0.37, 0.05, 0.05, dark)
            blob(x, 0.335, 0.11, 0.02, dark, 0.9, softness: 0.6)
            blob(x + outward * 0.02, 0.60, 0.12, 0.12, light, 0.8, softness: 1)
        }
        blob(0.5, 0.45, 0.05, 0.22, light, 0.8, softness: 0.9)
        blob(0.5, 0.63, 0.11, 0.05, shade, 0.8, softness: 0.6)
        blob(0.46, 0.64, 0.025, 0.018, dark, 0.8)
        blob(0.54, 0.64, 0.025, 0.018, dark, 0.8)
        blob(0.5, 0.82, 0.19, 0.055, lips, softness: 0.4)
        blob(0.5, 0.815, 0.18, 0.014, dark, 0.8, softness: 0.6)
        blob(0.5, 0.92, 0.12, 0.03, shade, 0.5, softness: 0.8)
        blob(0.5, 1.02, 0.14, 0.09, light, 0.6, softness: 1)
    }
}
