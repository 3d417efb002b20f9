/// Annotations for Pascal VOC: `Annotations/STEM.xml` for each picture in `JPEGImages`, and the list of all.
///
/// http://host.robots.ox.ac.uk/pascal/VOC/voc2012/htmldoc/devkit_doc.html: the top left pixel is 1, 1, and a
/// box includes the pixels at its edges.
public enum VOCFormat {
    /// The folder of pictures.
    public static let pictures = "JPEGImages"
    /// The folder of annotations.
    public static let annotations = "Annotations"
    /// The folders of the list of all pictures, the outer one first.
    public static let sets = ["ImageSets", "ImageSets/Main"]
    /// The list of all pictures, by their stems.
    public static let list = "ImageSets/Main/trainval.txt"

    /// Returns a picture's annotation.
    ///
    /// - Parameters:
    ///   - job: The picture's job.
    ///   - picture: The picture.
    ///   - file: The name of its file in ``pictures``.
    public static func annotation(_ job: ExportedJob, _ picture: ExportedPicture, file: String) -> [UInt8] {
        var text: [UInt8] = []
        text.add("<annotation>\n\t<folder>JPEGImages</folder>\n\t<filename>")
        text.addXML(file)
        text.add("</filename>\n\t<source>\n\t\t<database>facefetch</database>\n\t\t<annotation>")
        text.addXML("facefetch " + (job.detection?.engine ?? ""))
        text.add("</annotation>\n\t\t<image>")
        text.addXML(job.url)
        text.add("</image>\n\t</source>\n\t<size>\n\t\t<width>")
        text.add(picture.size.width)
        text.add("</width>\n\t\t<height>")
        text.add(picture.size.height)
        text.add("</height>\n\t\t<depth>3</depth>\n\t</size>\n\t<segmented>0</segmented>\n")
        for face in picture.faces {
            text.add("\t<object>\n\t\t<name>face</name>\n\t\t<pose>Unspecified</pose>\n")
            text.add("\t\t<truncated>0</truncated>\n\t\t<difficult>0</difficult>\n\t\t<bndbox>\n\t\t\t<xmin>")
            text.add(face.box.x + 1)
            text.add("</xmin>\n\t\t\t<ymin>")
            text.add(face.box.y + 1)
            text.add("</ymin>\n\t\t\t<xmax>")
            text.add(face.box.x + face.box.width)
            text.add("</xmax>\n\t\t\t<ymax>")
            text.add(face.box.y + face.box.height)
            text.add("</ymax>\n\t\t</bndbox>\n\t</object>\n")
        }
        text.add("</annotation>\n")
        return text
    }

    /// Returns whether readers of the list take a stem for one word: some split lines at white space, and take
    /// what follows a # for a comment (NumPy's loadtxt), and all drop white space at the ends.
    public static func isWord(_ stem: String) -> Bool {
        stem.unicodeScalars.allSatisfy { !$0.properties.isWhitespace && $0 != "#" }
    }

    /// Returns a picture's line in the list.
    public static func line(stem: String) -> [UInt8] { Array((stem + "\n").utf8) }
}

extension [UInt8] {
    /// Adds a text to XML; what that can't have (XML 1.0, production 2) becomes U+FFFD.
    fileprivate mutating func addXML(_ text: String) {
        for scalar in text.unicodeScalars {
            switch scalar {
            case "&": add("&amp;" as StaticString)
            case "<": add("&lt;" as StaticString)
            case ">": add("&gt;" as StaticString)
            case "\t", "\n", "\r":
                add("&#" as StaticString)
                add(scalar.value)
                add(";" as StaticString)
            case "\u{0}"..<" ", "\u{FFFE}", "\u{FFFF}": add("\u{FFFD}")
            default: append(contentsOf: Swift.String(scalar).utf8)
            }
        }
    }
}
